//! A policy for scripts that allows everything.

use super::prelude::*;
use crate::script::expressions::{member_name, plain_argument, string_of};
use crate::script::names::key_name;
use crate::script::options::{is_switch, option_of};
use crate::script::origins::import_origin;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "csp-off",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "The policy that would stop scripts which were smuggled in stops none.",
    help: "allow scripts by nonce or hash, and leave out `unsafe-inline` and `unsafe-eval`",
    explanation: "A content security policy is the second lock: scripts that were smuggled into a page do not run unless the \
        policy names them. `unsafe-inline` for scripts allows all that stand in the page, which are just those. Give \
        the page's own scripts a nonce, and start with `Content-Security-Policy-Report-Only` where much would break.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import helmet from "helmet";

app.use(helmet({ contentSecurityPolicy: false }));
"#,
        good: r#"import helmet from "helmet";

app.use(helmet({ contentSecurityPolicy: { directives: { scriptSrc: ["'self'"] } } }));
"#,
    }],
    cwe: Some("CWE-16"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_csp_off);

fn check_csp_off<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    let told = match node.kind() {
        AstKind::CallExpression(call) => {
            let is_helmet = import_origin(context, &call.callee)
                .is_some_and(|origin| matches!(origin.module.as_str(), "helmet" | "koa-helmet" | "@fastify/helmet"));
            let is_header = matches!(member_name(&call.callee), Some("setHeader" | "header" | "set" | "append"))
                && plain_argument(&call.arguments, 0)
                    .and_then(string_of)
                    .is_some_and(|name| name.eq_ignore_ascii_case("content-security-policy"));
            (is_helmet
                && option_of(context, &call.arguments, &["contentSecurityPolicy"])
                    .is_some_and(|policy| is_switch(policy, false)))
                || (is_header
                    && plain_argument(&call.arguments, 1).and_then(string_of).is_some_and(allows_inline_scripts))
        }
        AstKind::ObjectProperty(property) => {
            matches!(key_name(&property.key).as_deref(), Some("scriptSrc" | "script-src" | "scriptSrcElem"))
                && matches!(&property.value, Expression::ArrayExpression(sources)
                if sources.elements.iter().filter_map(|source| source.as_expression()).any(|source| {
                    matches!(string_of(source), Some("'unsafe-inline'" | "'unsafe-eval'"))
                }))
        }
        _ => false,
    };
    if told {
        out.push(context.report(&RULE, node.kind().span(), "the content security policy lets every script run"));
    }
}

/// True when the part about scripts, or the default where there is none, names `unsafe-inline`.
fn allows_inline_scripts(policy: &str) -> bool {
    let part = |name: &str| policy.split(';').map(str::trim).find(|part| part.split(' ').next() == Some(name));
    part("script-src")
        .or_else(|| part("default-src"))
        .is_some_and(|part| part.contains("'unsafe-inline'") && !part.contains("'nonce-"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn policies_that_allow_everything() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const helmet = require('helmet'); app.use(helmet({ contentSecurityPolicy: false }))",
                r#"use({ directives: { scriptSrc: ["'self'", "'unsafe-inline'"] } })"#,
                r#"res.setHeader('Content-Security-Policy', "default-src 'self'; script-src 'self' 'unsafe-inline'")"#,
            ],
        );
    }

    #[test]
    fn policies_that_hold() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const helmet = require('helmet'); app.use(helmet())",
                r#"use({ directives: { styleSrc: ["'self'", "'unsafe-inline'"] } })"#,
                r#"res.setHeader('Content-Security-Policy', "script-src 'self'; style-src 'unsafe-inline'")"#,
                "import helmet from 'helmet'; app.use(helmet({ contentSecurityPolicy: isProduction }))",
                "configure({ contentSecurityPolicy: false })",
            ],
        );
    }
}
