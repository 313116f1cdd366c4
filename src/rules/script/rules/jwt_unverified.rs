//! A token that is believed without a check.

use super::prelude::*;
use crate::script::expressions::plain_argument;
use crate::script::options::{is_switch, option_of};
use crate::script::origins::import_origin;
use crate::script::untrusted::is_from_request;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "jwt-unverified",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Whoever writes a token decides what is in it.",
    help: "use `verify` with the key and the algorithms, and let it check the time",
    explanation: "`decode` reads a token without looking at its signature; what it gives is what the sender wrote. A server \
        that reads the token of a request so believes everybody. `ignoreExpiration` accepts tokens that were stolen \
        long ago. Use `verify`, with the algorithms that the issuer uses.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import jwt from "jsonwebtoken";

export const user = (req: Request) => jwt.decode(req.cookies.token);
"#,
        good: r#"import jwt from "jsonwebtoken";

export const user = (req: Request) => jwt.verify(req.cookies.token, KEY, { algorithms: ["HS256"] });
"#,
    }],
    cwe: Some("CWE-347"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_jwt_unverified);

fn check_jwt_unverified(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some(origin) = import_origin(context, &call.callee).filter(|_| !context.is_test_file()) else { return };
    let message = match (origin.module.as_str(), origin.export.as_str()) {
        ("jsonwebtoken" | "jose" | "jwt-decode" | "jwt-simple", "decode" | "decodeJwt" | "jwtDecode" | "default") => {
            let reads_request = plain_argument(&call.arguments, 0).is_some_and(|token| is_from_request(context, token));
            // With a key `decode` of jwt-simple does check.
            let has_key = origin.module == "jwt-simple" && call.arguments.len() > 1;
            if !reads_request || has_key || is_verified_nearby(context, call) {
                return;
            }
            "the token of a request is read without a check of its signature"
        }
        ("jsonwebtoken", "verify")
            if option_of(context, &call.arguments, &["ignoreExpiration"])
                .is_some_and(|ignored| is_switch(ignored, true)) =>
        {
            "tokens that have expired are accepted"
        }
        _ => return,
    };
    out.push(context.report(&RULE, call.span, message));
}

/// The header is often read first, to find the key for the check.
fn is_verified_nearby(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    context.function_text_has(call.node_id.get(), &["verify", "Verify"])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn tokens_that_are_believed() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import jwt from 'jsonwebtoken'; const f = (req) => jwt.decode(req.headers.authorization.split(' ')[1])",
                "const jwt = require('jsonwebtoken'); jwt.verify(token, key, { algorithms: ['RS256'], ignoreExpiration: true })",
                "import { decodeJwt } from 'jose'; const f = (req) => { const { token } = req.body; return decodeJwt(token) }",
            ],
        );
    }

    #[test]
    fn tokens_that_are_checked() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import jwt from 'jsonwebtoken'; jwt.verify(token, key, { algorithms: ['RS256'] })",
                "import jwt from 'jsonwebtoken'; const f = (req) => { const h = jwt.decode(req.cookies.t, { complete: true }); return jwt.verify(req.cookies.t, keys[h.kid]) }",
                "import jwt from 'jsonwebtoken'; const f = (token) => jwt.decode(token)",
                "import base64 from 'base-64'; const f = (req) => base64.decode(req.body.text)",
            ],
        );
    }
}
