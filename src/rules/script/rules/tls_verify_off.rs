//! TLS certificates accepted unseen.

use super::prelude::*;
use crate::script::expressions::{without_casts, member_parts, string_of};
use crate::script::names::key_name;
use oxc_ast::ast::AssignmentTarget;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "tls-verify-off",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Without certificate checks anyone on the way can read and change the traffic.",
    help: "leave verification on and pass the authority's certificate as `ca`",
    explanation: "Without a check of the certificate the connection is encrypted to anybody who answers: on the way \
        everything can be read and changed. When a server has a certificate of an own authority, pass that authority's \
        certificate as `ca` instead of turning the check off.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import https from "node:https";

export const agent = new https.Agent({ rejectUnauthorized: false });
"#,
        good: r#"import { readFileSync } from "node:fs";
import https from "node:https";

export const agent = new https.Agent({ ca: readFileSync("authority.pem") });
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_tls_verify_off);

fn check_tls_verify_off<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    let told = match node.kind() {
        AstKind::ObjectProperty(property) => {
            key_name(&property.key).as_deref() == Some("rejectUnauthorized") && is_off(&property.value)
        }
        AstKind::AssignmentExpression(assignment) => target_name(&assignment.left).is_some_and(|name| match name {
            "rejectUnauthorized" => is_off(&assignment.right),
            "NODE_TLS_REJECT_UNAUTHORIZED" => is_zero(&assignment.right),
            _ => false,
        }),
        _ => false,
    };
    if told {
        out.push(context.report(&RULE, node.kind().span(), "TLS certificates are not verified"));
    }
}

fn target_name<'e>(target: &'e AssignmentTarget<'_>) -> Option<&'e str> {
    match target {
        AssignmentTarget::StaticMemberExpression(member) => Some(member.property.name.as_str()),
        AssignmentTarget::ComputedMemberExpression(member) => {
            let (_, object) = member_parts(&member.object)?;
            (object == "env").then(|| string_of(&member.expression)).flatten()
        }
        _ => None,
    }
}

fn is_off(value: &Expression<'_>) -> bool {
    matches!(without_casts(value), Expression::BooleanLiteral(value) if !value.value)
}

fn is_zero(value: &Expression<'_>) -> bool {
    string_of(value) == Some("0") || without_casts(value).is_number_0()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn verification_turned_off() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "https.request({ host, rejectUnauthorized: false })",
                "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'",
                "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0",
                "options.rejectUnauthorized = false",
            ],
        );
    }

    #[test]
    fn verification_left_on() {
        assert_no_findings(
            &RULE,
            "a.js",
            &["f({ rejectUnauthorized: true })", "f({ rejectUnauthorized: !insecure })", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1'"],
        );
        assert_no_findings(&RULE, "test/a.test.js", &["f({ rejectUnauthorized: false })"]);
    }
}
