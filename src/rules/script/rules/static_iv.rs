//! A cipher that always starts alike.

use super::prelude::*;
use crate::script::expressions::{
    call_of, is_constant, member_parts, plain_argument, resolve_constant_name, string_of,
};
use crate::script::origins::import_origin;
use crate::script::untrusted::is_global_named;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "static-iv",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "With the same start value equal messages become equal, and in GCM the key can be computed.",
    help: "make the start value of `randomBytes` for each message and store it beside the text",
    explanation: "The start value keeps equal messages from looking equal. When it is written in the program, whoever sees two \
        messages sees how they begin alike; in counter modes and GCM two messages with the same value give their \
        difference away, and in GCM also the key of the signature. It is no secret: make a new one of `randomBytes` \
        and store it in front of the text.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { createCipheriv } from "node:crypto";

export const seal = (key: Buffer, text: string) => createCipheriv("aes-256-cbc", key, Buffer.alloc(16)).update(text);
"#,
        good: r#"import { createCipheriv, randomBytes } from "node:crypto";

export const seal = (key: Buffer, text: string) => createCipheriv("aes-256-cbc", key, randomBytes(16)).update(text);
"#,
    }],
    cwe: Some("CWE-329"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_static_iv);

fn check_static_iv(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let encrypts = import_origin(context, &call.callee)
        .is_some_and(|origin| origin.module == "crypto" && origin.export == "createCipheriv");
    if !encrypts || context.is_test_file() {
        return;
    }
    // ECB has no start value; the mode itself is said by another rule.
    let is_ecb = plain_argument(&call.arguments, 0)
        .and_then(string_of)
        .is_some_and(|name| name.to_ascii_lowercase().ends_with("ecb"));
    let start = plain_argument(&call.arguments, 2).map(|start| resolve_constant_name(context, start));
    if start.is_some_and(|start| !is_ecb && is_written_down(context, start)) {
        out.push(context.report(&RULE, call.span, "the start value of the cipher is always the same"));
    }
}

/// A text, `Buffer.alloc(16)`, `Buffer.from('…')`, `new Uint8Array(16)`.
fn is_written_down(context: &ScriptContext<'_, '_>, start: &Expression<'_>) -> bool {
    if let Some(call) = call_of(start) {
        return member_parts(&call.callee).is_some_and(|(object, name)| match name {
            "alloc" => is_global_named(context, object, "Buffer") && !is_filled_later(context, start),
            "from" => {
                is_global_named(context, object, "Buffer")
                    && plain_argument(&call.arguments, 0).is_some_and(|bytes| is_constant(context, bytes))
            }
            _ => false,
        });
    }
    string_of(start).is_some_and(|text| !text.is_empty())
}

/// A buffer with a name may get its bytes afterwards; one that is made in the call cannot.
fn is_filled_later(context: &ScriptContext<'_, '_>, start: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = start else { return true };
    !matches!(context.nodes().parent_kind(call.node_id.get()), AstKind::CallExpression(_))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn start_values_that_are_written_down() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import crypto from 'crypto'; crypto.createCipheriv('aes-256-cbc', key, '1234567890123456')",
                "import { createCipheriv } from 'node:crypto'; const IV = Buffer.from('000102', 'hex'); createCipheriv('aes-256-gcm', key, IV)",
                "const crypto = require('crypto'); crypto.createCipheriv('aes-128-ctr', key, Buffer.alloc(16, 0))",
            ],
        );
    }

    #[test]
    fn start_values_that_are_made() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import crypto from 'crypto'; const iv = crypto.randomBytes(16); crypto.createCipheriv('aes-256-cbc', key, iv)",
                "import crypto from 'crypto'; crypto.createCipheriv('aes-256-cbc', key, Buffer.from(text, 'hex'))",
                "import crypto from 'crypto'; const iv = Buffer.alloc(12); counter.copy(iv); crypto.createCipheriv('aes-256-gcm', key, iv)",
                "import crypto from 'crypto'; crypto.createDecipheriv('aes-256-cbc', key, '1234567890123456')",
            ],
        );
    }
}
