//! A key that is too short.

use super::prelude::*;
use crate::script::expressions::{member_name, plain_argument, string_of};
use crate::script::options::{number_of, option_of};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "weak-key-size",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Keys of this length can be computed by those who have money for it.",
    help: "make RSA keys of 3072 bits (2048 at least), or use `ed25519`",
    explanation: "RSA below 2048 bits has been broken in public up to 829 bits, and 1024 are within reach of a rich attacker; \
        certificates with such keys are no longer issued. New keys have 3072 bits, or are of `ed25519`, which is \
        short and fast. Curves below 224 bits have the same weakness.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { generateKeyPairSync } from "node:crypto";

export const pair = generateKeyPairSync("rsa", { modulusLength: 1024 });
"#,
        good: r#"import { generateKeyPairSync } from "node:crypto";

export const pair = generateKeyPairSync("rsa", { modulusLength: 3072 });
"#,
    }],
    cwe: Some("CWE-326"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_weak_key_size);

const LEAST_BITS: f64 = 2_048.0;
const SHORT_CURVES: &[&str] =
    &["prime192v1", "secp112r1", "secp128r1", "secp160k1", "secp160r1", "secp192k1", "sect113r1", "sect163k1"];

fn check_weak_key_size(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if context.is_test_file()
        || !matches!(member_name(&call.callee), Some("generateKeyPair" | "generateKeyPairSync" | "generateKey"))
    {
        return;
    }
    let given = |name: &str| option_of(context, &call.arguments, &[name]);
    let kind = plain_argument(&call.arguments, 0).and_then(string_of).or_else(|| given("name").and_then(string_of));
    let is_short = match kind {
        Some(kind) if ["rsa", "dsa"].iter().any(|short| kind.to_ascii_lowercase().starts_with(short)) => {
            given("modulusLength").and_then(number_of).is_some_and(|bits| bits < LEAST_BITS)
        }
        Some("ec") => given("namedCurve").and_then(string_of).is_some_and(|curve| SHORT_CURVES.contains(&curve)),
        // `forge.pki.rsa.generateKeyPair({ bits: 1024 })`
        None => given("bits").and_then(number_of).is_some_and(|bits| bits < LEAST_BITS),
        _ => false,
    };
    if is_short {
        out.push(context.report(&RULE, call.span, "the key is too short"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn short_keys() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "crypto.generateKeyPairSync('rsa', { modulusLength: 1024 })",
                "const options = { modulusLength: 512 }; generateKeyPair('rsa-pss', options, done)",
                "crypto.subtle.generateKey({ name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024 }, true, ['sign'])",
                "generateKeyPairSync('ec', { namedCurve: 'secp192k1' })",
                "forge.pki.rsa.generateKeyPair({ bits: 1024 })",
            ],
        );
    }

    #[test]
    fn long_keys() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })",
                "generateKeyPairSync('ed25519')",
                "generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])",
                "generateKeyPairSync('ec', { namedCurve: 'P-256' })",
                "generateKeyPairSync('rsa', { modulusLength: bits })",
            ],
        );
    }
}
