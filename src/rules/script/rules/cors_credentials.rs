//! Answers with credentials for every origin.

use super::prelude::*;
use crate::script::expressions::{Callback, member_parts, plain_argument, string_of, without_casts};
use crate::script::options::{is_switch, option_of};
use crate::script::origins::import_origin;
use crate::script::untrusted::is_request_part;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "cors-credentials",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Every page that a user visits can read this site's answers with his session.",
    help: "name the origins that are meant in `origin`",
    explanation: "With `credentials` the browser sends the session along and hands the answer to the page that asked. When \
        every origin is let in, by `origin: true` or by repeating the header `Origin`, any page can read what the \
        user can. Name the origins that are meant.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import cors from "cors";

app.use(cors({ origin: true, credentials: true }));
"#,
        good: r#"import cors from "cors";

app.use(cors({ origin: ["https://app.example.com"], credentials: true }));
"#,
    }],
    cwe: Some("CWE-942"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_cors_credentials);

fn check_cors_credentials(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    let given = |name: &str| option_of(context, &call.arguments, &[name]);
    let is_setting = || {
        import_origin(context, &call.callee)
            .is_some_and(|origin| matches!(origin.module.as_str(), "cors" | "@koa/cors" | "hono/cors"))
            || matches!(member_parts(&call.callee), Some((_, "enableCors" | "register")))
    };
    let opens = given("credentials").is_some_and(|sent| is_switch(sent, true))
        && given("origin").is_some_and(|origin| lets_everybody_in(origin))
        && is_setting();
    let repeats = matches!(member_parts(&call.callee), Some((_, "setHeader" | "header" | "set")))
        && plain_argument(&call.arguments, 0)
            .and_then(string_of)
            .is_some_and(|name| name.eq_ignore_ascii_case("access-control-allow-origin"))
        && plain_argument(&call.arguments, 1).is_some_and(|value| is_origin_header(context, value))
        && sends_credentials(context, call);
    if opens || repeats {
        out.push(context.report(&RULE, call.span, "every origin may read answers with credentials"));
    }
}

/// `true`, `'*'`, and a function that says yes to each.
fn lets_everybody_in(origin: &Expression<'_>) -> bool {
    if is_switch(origin, true) || string_of(origin) == Some("*") {
        return true;
    }
    let Some(Expression::CallExpression(answer)) = Callback::from_expression(origin).and_then(Callback::expression)
    else {
        return false;
    };
    plain_argument(&answer.arguments, 1).is_some_and(|allowed| is_switch(allowed, true))
}

/// `req.headers.origin`
fn is_origin_header(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    member_parts(without_casts(value))
        .is_some_and(|(headers, name)| name == "origin" && is_request_part(context, headers))
}

fn sends_credentials(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    context.function_text_has(
        call.node_id.get(),
        &["Access-Control-Allow-Credentials", "access-control-allow-credentials"],
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn every_origin_with_credentials() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import cors from 'cors'; app.use(cors({ credentials: true, origin: '*' }))",
                "app.enableCors({ origin: true, credentials: true })",
                "const cors = require('cors'); app.use(cors({ origin: (origin, done) => done(null, true), credentials: true }))",
                "app.use((req, res, next) => { res.setHeader('Access-Control-Allow-Origin', req.headers.origin); res.setHeader('Access-Control-Allow-Credentials', 'true'); next() })",
            ],
        );
    }

    #[test]
    fn named_origins_and_no_credentials() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import cors from 'cors'; app.use(cors({ origin: '*' }))",
                "import cors from 'cors'; app.use(cors({ origin: process.env.ORIGIN, credentials: true }))",
                "import cors from 'cors'; app.use(cors({ origin: (origin, done) => done(null, KNOWN.has(origin)), credentials: true }))",
                "app.use((req, res, next) => { res.setHeader('Access-Control-Allow-Origin', req.headers.origin); next() })",
                "fetch(url, { credentials: 'include', origin: true })",
            ],
        );
    }
}
