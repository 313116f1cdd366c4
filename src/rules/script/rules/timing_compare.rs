//! A signature compared character by character.

use super::prelude::*;
use crate::script::expressions::{call_of, member_name, member_parts, resolve_constant_name};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "timing-compare",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "The time of the comparison tells how much of a guess is right.",
    help: "use `crypto.timingSafeEqual` of two buffers of equal length",
    explanation: "`===` stops at the first character that differs, so a guess that is right for longer takes longer. Over many \
        tries the time shows the signature, character by character. `crypto.timingSafeEqual` always takes as long; \
        compare the lengths before, for it demands equal ones.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { createHmac } from "node:crypto";

export const isGenuine = (text: string, signature: string) =>
  createHmac("sha256", KEY).update(text).digest("hex") === signature;
"#,
        good: r#"import { createHmac, timingSafeEqual } from "node:crypto";

export const isGenuine = (text: string, signature: Buffer) =>
  timingSafeEqual(createHmac("sha256", KEY).update(text).digest(), signature);
"#,
    }],
    cwe: Some("CWE-208"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_timing_compare);

fn check_timing_compare<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::BinaryExpression(comparison) = node.kind() else { return };
    if !comparison.operator.is_equality() || context.is_test_file() {
        return;
    }
    if is_keyed_digest(context, &comparison.left) || is_keyed_digest(context, &comparison.right) {
        out.push(context.report(&RULE, comparison.span, "a signature is compared in a time that tells about it"));
    }
}

/// `createHmac(…).update(…).digest(…)`, with a text around it or a name for it. A hash without a key is no secret.
fn is_keyed_digest(context: &ScriptContext<'_, '_>, side: &Expression<'_>) -> bool {
    let mut value = resolve_constant_name(context, side);
    if let Expression::TemplateLiteral(template) = value {
        // `sha256=${digest}`
        let [only] = template.expressions.as_slice() else { return false };
        value = resolve_constant_name(context, only);
    } else if let Expression::BinaryExpression(sum) = value {
        value = resolve_constant_name(context, &sum.right);
    }
    let mut has_digest = false;
    while let Some(call) = call_of(value) {
        if member_name(&call.callee) == Some("createHmac") {
            return has_digest;
        }
        let Some((object, name)) = member_parts(&call.callee) else { return false };
        has_digest |= name == "digest";
        value = resolve_constant_name(context, object);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn signatures_compared_by_equality() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const ok = crypto.createHmac('sha256', key).update(body).digest('hex') === given",
                "const mac = createHmac('sha1', key).update(body).digest('base64'); if (mac !== header) fail()",
                "const hmac = createHmac('sha256', key); const own = hmac.update(body).digest('hex'); check(req.get('x') == own)",
                "const own = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`; const ok = own === given",
            ],
        );
    }

    #[test]
    fn constant_time_and_plain_hashes() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "timingSafeEqual(createHmac('sha256', key).update(body).digest(), given)",
                "if (createHash('sha256').update(text).digest('hex') === checksum) done()",
                "if (token === undefined) fail()",
                "const hmac = createHmac('sha256', key); if (hmac === null) fail()",
            ],
        );
    }
}
