//! A redirect to an address that a stranger chooses.

use super::prelude::*;
use crate::script::expressions::{member_name, member_parts, plain_argument, string_of};
use crate::script::options::option_of;
use crate::script::untrusted::{decides_address, is_page_address, is_request_part, page_destination};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "open-redirect",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A link to this site can lead its visitors to any other one.",
    help: "compare the address with a list of known ones, or keep only a path of this site",
    explanation: "Whoever is sent a link to a site trusts the site, not the address in its query. When the query decides where \
        the page goes, the link leads to a copy of the login page; in the browser an address that begins with \
        `javascript:` even runs as code. Compare the address with known ones, or build it from a path of this site.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const go = (req: Request, res: Response) => res.redirect(req.query.next);
",
        good: r#"const PAGES = new Map([["home", "/home"], ["account", "/account"]]);

export const go = (req: Request, res: Response) => res.redirect(PAGES.get(String(req.query.next)) ?? "/");
"#,
    }],
    cwe: Some("CWE-601"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_open_redirect);

fn check_open_redirect<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    if let Some(target) = page_destination(context, node.kind()) {
        if decides_address(context, target, is_page_address) {
            out.push(context.report(&RULE, node.kind().span(), "the page goes where its own address says"));
        }
        return;
    }
    let AstKind::CallExpression(call) = node.kind() else { return };
    if redirect_target(context, call).is_some_and(|target| decides_address(context, target, is_linked_part)) {
        out.push(context.report(&RULE, call.span, "the request decides where the answer redirects to"));
    }
}

/// A link cannot set headers and cookies, so what they say is not a stranger's choice for a visitor.
fn is_linked_part(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    is_request_part(context, value) && !matches!(member_name(value), Some("headers" | "cookies"))
}

/// The address in `res.redirect(302, address)`, `res.location(address)`, `res.setHeader('Location', address)`.
fn redirect_target<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    call: &'e CallExpression<'a>,
) -> Option<&'e Expression<'a>> {
    let (_, name) = member_parts(&call.callee)?;
    if name == "writeHead" {
        let header = |name| option_of(context, &call.arguments, &[name]);
        return header("Location").or_else(|| header("location"));
    }
    let first = plain_argument(&call.arguments, 0)?;
    match name {
        "redirect" => Some(match plain_argument(&call.arguments, 1) {
            Some(second) if matches!(first, Expression::NumericLiteral(_)) => second,
            _ => first,
        }),
        "location" => Some(first),
        "setHeader" | "header" | "set" if string_of(first)?.eq_ignore_ascii_case("location") => {
            plain_argument(&call.arguments, 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn addresses_that_a_stranger_chooses() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "app.get('/', (req, res) => res.redirect(req.query.next))",
                "app.get('/', (req, res) => { const { to } = req.query; res.redirect(302, to || '/') })",
                "app.get('/', (req, res) => res.setHeader('Location', `https://${req.query.host}/a`))",
                "http.createServer((req, res) => res.writeHead(302, { Location: req.query.next }))",
                "location.href = new URLSearchParams(location.search).get('next')",
                "window.location.replace(decodeURIComponent(location.hash.slice(1)))",
            ],
        );
    }

    #[test]
    fn addresses_of_this_site() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "app.get('/', (req, res) => res.redirect('/login?next=' + encodeURIComponent(req.query.next)))",
                "app.get('/', (req, res) => { const to = req.query.to; if (!KNOWN.includes(to)) return; res.redirect(to) })",
                "app.get('/', (req, res) => res.redirect(safePath(req.query.next)))",
                "app.get('/', (req, res) => res.redirect(req.headers.referer))",
                "location.href = location.pathname + location.search",
                "location.assign(`/search${location.search}`)",
                "function go(location) { location.href = new URLSearchParams(location.search).get('a') }",
                "text.replace(location.hash, '')",
                "app.get('/', (req, res) => res.set('X-Next', req.query.next))",
            ],
        );
    }
}
