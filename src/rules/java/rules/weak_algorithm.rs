//! Ciphers and digests that have been broken.

use super::prelude::*;
use crate::java::calls::{arguments_of, is_static_call, string_text};
use crate::java::scopes::names_around;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "weak-algorithm",
    aliases: &["sonar:S5542", "sonar:S5547", "sonar:S4790", "findsecbugs:ECB_MODE", "findsecbugs:DES_USAGE", "findsecbugs:WEAK_MESSAGE_DIGEST_MD5"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "This algorithm is too weak to protect anything.",
    help: "Use `AES/GCM/NoPadding` for secrecy, SHA-256 or better for signatures, and Argon2 or PBKDF2 for passwords.",
    explanation: "DES and RC4 can be broken, ECB shows which blocks are equal (and `AES` alone means ECB), and \
        collisions of MD5 and SHA-1 can be made at will. Digests are reported where a name around says that they \
        protect something; as a checksum they are left alone.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.crypto.Cipher;

class Vault {
    Cipher cipher() throws Exception {
        return Cipher.getInstance("AES/ECB/PKCS5Padding");
    }
}
"#,
        good: r#"import javax.crypto.Cipher;

class Vault {
    Cipher cipher() throws Exception {
        return Cipher.getInstance("AES/GCM/NoPadding");
    }
}
"#,
    }],
    cwe: Some("CWE-327"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_weak_algorithm);

const PROTECTING: &[&str] = &["auth", "authenticate", "passwd", "password", "secret", "sign", "signature", "token"];

fn check_weak_algorithm<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(name) = arguments_of(node).first().and_then(|first| string_text(context, *first)) else { return };
    let upper = name.to_ascii_uppercase();
    let first = upper.split('/').next().unwrap_or_default();
    let is_broken = matches!(first, "DES" | "DESEDE" | "RC2" | "RC4" | "ARCFOUR" | "BLOWFISH" | "TRIPLEDES");
    let is_weak = if is_static_call(context, node, "Cipher", &["getInstance"]) {
        is_broken || upper == "AES" || first != "RSA" && upper.contains("/ECB/")
    } else if is_static_call(context, node, "MessageDigest", &["getInstance"]) {
        matches!(upper.as_str(), "MD2" | "MD4" | "MD5" | "SHA" | "SHA1" | "SHA-1") && protects(context, node)
    } else {
        is_static_call(context, node, "KeyGenerator", &["getInstance"]) && is_broken
    };
    if is_weak && !context.is_test_file() {
        out.push(context.report(&RULE, node, format!("`{name}` is too weak to protect anything")));
    }
}

fn protects(context: &JavaContext<'_>, node: Node<'_>) -> bool {
    let words = names_around(context, node).into_iter().flat_map(split_identifier_words);
    words.into_iter().any(|word| PROTECTING.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f() { return Cipher.getInstance(\"DES/CBC/PKCS5Padding\"); }",
            "Object f() { return Cipher.getInstance(\"AES\"); }",
            "byte[] hashPassword(byte[] p) { return MessageDigest.getInstance(\"MD5\").digest(p); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f() { return Cipher.getInstance(\"RSA/ECB/OAEPWithSHA-256AndMGF1Padding\"); }",
            "byte[] checksum(byte[] p) { return MessageDigest.getInstance(\"MD5\").digest(p); }",
            "byte[] sign(byte[] p) { return MessageDigest.getInstance(\"SHA-256\").digest(p); }",
        ]);
    }
}
