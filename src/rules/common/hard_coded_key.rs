//! Keys and passwords that stand in the source.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "hard-coded-key",
    aliases: &["gosec:G101"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A key that stands in the source is known to whoever can read the source.",
    help: "Read the key from the environment or from a store of secrets when the program starts.",
    explanation: "A key in the source is in every clone, every build and every log of changes, and cannot be changed \
        without a release. Read it when the program starts, and change the one that stood here: it must \
        count as known.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package sign

import (
	"crypto/hmac"
	"crypto/sha256"
)

func Sign(text []byte) []byte {
	mac := hmac.New(sha256.New, []byte("correct horse battery"))
	mac.Write(text)
	return mac.Sum(nil)
}
"#,
            good: r#"package sign

import (
	"crypto/hmac"
	"crypto/sha256"
)

func Sign(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: r#"use jsonwebtoken::{EncodingKey, Header, encode};

pub fn sign(claims: &Claims) -> jsonwebtoken::errors::Result<String> {
    encode(&Header::default(), claims, &EncodingKey::from_secret(b"correct horse battery"))
}
"#,
            good: "use jsonwebtoken::{EncodingKey, Header, encode};

pub fn sign(claims: &Claims, secret: &[u8]) -> jsonwebtoken::errors::Result<String> {
    encode(&Header::default(), claims, &EncodingKey::from_secret(secret))
}
",
        },
    ],
    cwe: Some("CWE-798"),
    since: "0.1.0",
};
