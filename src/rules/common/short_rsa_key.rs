//! RSA keys that can be found out.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "short-rsa-key",
    aliases: &["gosec:G403"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "RSA keys below 2048 bits can be found out with money, and 512 bits with a laptop.",
    help: "Use at least 2048 bits.",
    explanation: "Whoever factors the modulus has the private key. 512 bits take hours, 768 have been factored by a \
        university, 1024 are within reach of states. 2048 is the least that is still considered safe; 3072 \
        lasts longer.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package keys

import (
	"crypto/rand"
	"crypto/rsa"
)

func New() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(rand.Reader, 1024)
}
"#,
            good: r#"package keys

import (
	"crypto/rand"
	"crypto/rsa"
)

func New() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(rand.Reader, 3072)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "use rsa::RsaPrivateKey;

pub fn new_key(rng: &mut impl CryptoRng) -> rsa::Result<RsaPrivateKey> {
    RsaPrivateKey::new(rng, 1024)
}
",
            good: "use rsa::RsaPrivateKey;

pub fn new_key(rng: &mut impl CryptoRng) -> rsa::Result<RsaPrivateKey> {
    RsaPrivateKey::new(rng, 3072)
}
",
        },
        Example {
            path: "example.c",
            bad: "#include <openssl/rsa.h>

int make(RSA *key, BIGNUM *exponent) {
    return RSA_generate_key_ex(key, 1024, exponent, NULL);
}
",
            good: "#include <openssl/rsa.h>

int make(RSA *key, BIGNUM *exponent) {
    return RSA_generate_key_ex(key, 3072, exponent, NULL);
}
",
        },
        Example {
            path: "example.sh",
            bad: r#"#!/bin/sh
openssl genrsa -out server.key 1024
"#,
            good: r#"#!/bin/sh
openssl genrsa -out server.key 3072
"#,
        },
    ],
    cwe: Some("CWE-326"),
    since: "0.1.0",
};
