//! An address that the server fetches and a request chooses.

use super::prelude::*;
use crate::script::expressions::{identifier_of, member_parts, plain_argument};
use crate::script::options::option_within;
use crate::script::origins::import_origin;
use crate::script::untrusted::{decides_address, is_global_named, is_request_part};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "request-forgery",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A stranger makes the server call addresses that only the server can reach.",
    help: "choose the host from a list of known ones and let the request decide at most the path",
    explanation: "The server stands inside the network: it reaches databases, administration pages and the cloud's own address \
        with the keys of the machine. When a request decides the host of what is fetched, the stranger reaches them \
        too. Choose the host from a list of known ones; a check of the text alone is passed by redirects and by \
        names that point inside.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const preview = async (req: Request, res: Response) => res.send(await (await fetch(req.query.url)).text());
",
        good: "export const preview = async (req: Request, res: Response) =>
  res.send(await (await fetch(`https://pages.example.com/${encodeURIComponent(req.query.page)}`)).text());
",
    }],
    cwe: Some("CWE-918"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_request_forgery);

/// Modules that fetch.
const CLIENTS: &[&str] = &[
    "axios",
    "cross-fetch",
    "got",
    "http",
    "https",
    "isomorphic-fetch",
    "ky",
    "needle",
    "node-fetch",
    "request",
    "superagent",
    "undici",
];
const METHODS: &[&str] =
    &["*", "default", "delete", "fetch", "get", "got", "head", "options", "patch", "post", "put", "request", "stream"];

fn check_request_forgery(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if !is_fetching(context, &call.callee) {
        return;
    }
    let Some(target) = plain_argument(&call.arguments, 0) else { return };
    let address = ["url", "uri", "hostname", "host", "baseURL"]
        .iter()
        .find_map(|name| option_within(context, target, &[name]))
        .unwrap_or(target);
    if decides_address(context, address, is_request_part) {
        out.push(context.report(&RULE, call.span, "a request decides which address the server calls"));
    }
}

fn is_fetching(context: &ScriptContext<'_, '_>, callee: &Expression<'_>) -> bool {
    if is_global_named(context, callee, "fetch") {
        return true;
    }
    import_origin(context, callee).is_some_and(|origin| {
        CLIENTS.contains(&origin.module.as_str())
            && METHODS.contains(&origin.export.as_str())
            && (identifier_of(callee).is_some() || member_parts(callee).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn addresses_from_requests() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const f = async (req, res) => { const r = await fetch(req.query.url) }",
                "import axios from 'axios'; const f = (req) => { const { url } = req.body; return axios.get(url) }",
                "const http = require('http'); const f = (req) => http.get({ host: req.params.host, path: '/' })",
                "import got from 'got'; const f = (request) => got(`http://${request.query.host}/status`)",
                "import axios from 'axios'; const f = (ctx) => axios({ method: 'get', url: ctx.query.target })",
            ],
        );
    }

    #[test]
    fn hosts_that_are_known() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const f = (req) => fetch(`https://api.example.com/users/${req.params.id}`)",
                "const f = (req) => fetch(`${BASE}/users/${req.params.id}`)",
                "const f = (req) => { const url = req.query.url; if (!isAllowedHost(url)) return; return fetch(url) }",
                "import axios from 'axios'; const f = (req) => axios.post('https://a.example.com', { url: req.body.url })",
                "const f = (url) => fetch(url)",
                "const f = (req) => cache.get(req.query.url)",
                "const f = (req, fetch) => fetch(req.query.url)",
            ],
        );
    }
}
