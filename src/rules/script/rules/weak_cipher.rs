//! A cipher that no longer protects.

use super::prelude::*;
use crate::script::expressions::{member_name, member_parts, plain_argument, resolve_constant_name, string_of};
use crate::script::options::option_of;
use crate::script::origins::import_origin;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "weak-cipher",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "The cipher can be broken, or shows which blocks are equal.",
    help: "use `aes-256-gcm` with `createCipheriv` and a new random nonce for each message",
    explanation: "DES, RC2, RC4 and Blowfish have keys or blocks that are too small for today. ECB encrypts equal blocks \
        alike, so the picture stays visible. `createCipher`, which Node has removed, makes key and start value from \
        a password by one round of MD5. Use AES in GCM mode with a random nonce.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { createCipheriv } from "node:crypto";

export const seal = (key: Buffer, text: string) => createCipheriv("aes-128-ecb", key, null).update(text);
"#,
        good: r#"import { createCipheriv, randomBytes } from "node:crypto";

export const seal = (key: Buffer, text: string) => createCipheriv("aes-256-gcm", key, randomBytes(12)).update(text);
"#,
    }],
    cwe: Some("CWE-327"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_weak_cipher);

fn check_weak_cipher(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let weak = match import_origin(context, &call.callee) {
        Some(origin) if origin.module == "crypto" => match origin.export.as_str() {
            "createCipher" | "createDecipher" => true,
            "createCipheriv" | "createDecipheriv" => plain_argument(&call.arguments, 0)
                .and_then(|name| string_of(resolve_constant_name(context, name)))
                .is_some_and(is_weak_cipher),
            _ => false,
        },
        _ => {
            is_weak_in_crypto_js(context, &call.callee)
                || (is_crypto_js(context, &call.callee)
                    && option_of(context, &call.arguments, &["mode"]).and_then(member_name) == Some("ECB"))
        }
    };
    // Old data still has to be read; what is written today is what counts.
    let only_reads = member_name(&call.callee).is_some_and(|name| name.to_ascii_lowercase().contains("decipher"));
    if weak && !only_reads && !context.is_test_file() {
        out.push(context.report(&RULE, call.span, "the cipher is weak"));
    }
}

fn is_weak_cipher(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let family = name.split('-').next().unwrap_or_default();
    matches!(family, "bf" | "blowfish" | "cast" | "cast5" | "des" | "des3" | "desx" | "idea" | "rc2" | "rc4" | "seed")
        || name.ends_with("-ecb")
}

/// `CryptoJS.DES.encrypt`
fn is_weak_in_crypto_js(context: &ScriptContext<'_, '_>, callee: &Expression<'_>) -> bool {
    let Some((object, "encrypt")) = member_parts(callee) else { return false };
    matches!(member_name(object), Some("DES" | "TripleDES" | "RC4" | "RC4Drop" | "Rabbit"))
        && is_crypto_js(context, callee)
}

/// `encrypt` of a cipher of CryptoJS.
fn is_crypto_js(context: &ScriptContext<'_, '_>, callee: &Expression<'_>) -> bool {
    let Some((object, "encrypt")) = member_parts(callee) else { return false };
    import_origin(context, object).is_some_and(|origin| origin.module.starts_with("crypto-js"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn ciphers_of_yesterday() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import crypto from 'crypto'; crypto.createCipheriv('des-ede3-cbc', key, iv)",
                "const crypto = require('crypto'); crypto.createCipher('aes192', password)",
                "import { createCipheriv } from 'node:crypto'; const NAME = 'AES-256-ECB'; createCipheriv(NAME, key, '')",
                "import CryptoJS from 'crypto-js'; CryptoJS.DES.encrypt(text, key)",
                "import CryptoJS from 'crypto-js'; CryptoJS.AES.encrypt(text, key, { mode: CryptoJS.mode.ECB })",
            ],
        );
    }

    #[test]
    fn ciphers_of_today() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import crypto from 'crypto'; crypto.createCipheriv('aes-256-gcm', key, iv)",
                "import crypto from 'crypto'; crypto.createCipheriv(algorithm, key, iv)",
                "import CryptoJS from 'crypto-js'; CryptoJS.AES.encrypt(text, key)",
                "import crypto from 'crypto'; crypto.createDecipheriv('des-cbc', key, iv)",
                "createCipher('des')",
            ],
        );
    }
}
