//! `postMessage` to any origin.

use super::prelude::*;
use crate::script::expressions::{plain_argument, is_constant, member_parts, property, string_of};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "postmessage-star",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "With `*` as target, whichever page the window shows by then receives the message.",
    help: "name the origin that is meant to receive the message",
    explanation: "`postMessage` to the target `*` hands the message to whatever page the window shows at that moment, \
        also one that it was led to in between. Name the origin that is meant; the browser then drops the message when \
        another page is there.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export const send = (frame: HTMLIFrameElement, token: string) => frame.contentWindow?.postMessage({ token }, "*");
"#,
        good: r#"export const send = (frame: HTMLIFrameElement, token: string) =>
  frame.contentWindow?.postMessage({ token }, "https://app.example.com");
"#,
    }],
    cwe: Some("CWE-346"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_postmessage_star);

fn check_postmessage_star(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some((_, "postMessage")) = member_parts(&call.callee) else { return };
    let target = match plain_argument(&call.arguments, 1) {
        Some(Expression::ObjectExpression(options)) => property(options, "targetOrigin").and_then(string_of),
        Some(target) => string_of(target),
        None => None,
    };
    let carries_data = plain_argument(&call.arguments, 0).is_some_and(|message| !is_constant(context, message));
    if target == Some("*") && carries_data {
        out.push(context.report(&RULE, call.span, "`postMessage` sends data to any origin"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn data_to_any_origin() {
        assert_one_finding_each(&RULE, "a.js", &["parent.postMessage(data, '*')", "w.postMessage({ user }, { targetOrigin: '*' })"]);
    }

    #[test]
    fn named_origins_and_messages_without_data() {
        assert_no_findings(
            &RULE,
            "a.js",
            &["parent.postMessage(data, origin)", "parent.postMessage('ready', '*')", "worker.postMessage(data)", "parent.postMessage({ type: 'ready' }, '*')"],
        );
    }
}
