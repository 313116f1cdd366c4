//! Ciphers and hashes that are broken.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "weak-cryptography",
    aliases: &["gosec:G401", "gosec:G405", "gosec:G501", "gosec:G505"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "MD5, SHA-1, DES and RC4 protect nothing any more.",
    help: "Use SHA-256 or better, AES-GCM, and bcrypt, scrypt or argon2 for passwords.",
    explanation: "Two texts with one MD5 or SHA-1 can be made; DES can be tried through in a day, and RC4 leaks what \
        it hides. For passwords every fast hash is wrong: guessing is as fast. Where a hash only tells \
        contents apart (a cache, an ETag, a checksum), the names around it say so, and nothing is said \
        here. In Go a hash is named where what stands around it speaks of a secret, a session or a signature.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package accounts

import "crypto/md5"

func hashPassword(password string) [16]byte {
	return md5.Sum([]byte(password))
}
"#,
            good: r#"package accounts

import "golang.org/x/crypto/bcrypt"

func hashPassword(password string) ([]byte, error) {
	return bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "use md5::{Digest, Md5};

pub fn hash_password(password: &str) -> Vec<u8> {
    Md5::digest(password.as_bytes()).to_vec()
}
",
            good: "use argon2::{Argon2, PasswordHasher};

pub fn hash_password(password: &str, salt: &Salt) -> Result<String, Error> {
    Ok(Argon2::default().hash_password(password.as_bytes(), salt)?.to_string())
}
",
        },
        Example {
            path: "example.c",
            bad: "#include <openssl/md5.h>

void hash_password(const unsigned char *password, unsigned long size, unsigned char *out) {
    MD5(password, size, out);
}
",
            good: "#include <argon2.h>

int hash_password(const char *password, unsigned long size, const char *salt, char *out) {
    return argon2id_hash_encoded(3, 65536, 1, password, size, salt, 16, 32, out, 128);
}
",
        },
        Example {
            path: "example.sh",
            bad: r#"#!/bin/sh
openssl enc -des3 -in letter.txt -out letter.enc -pass file:key
"#,
            good: r#"#!/bin/sh
openssl enc -aes-256-cbc -pbkdf2 -in letter.txt -out letter.enc -pass file:key
"#,
        },
    ],
    cwe: Some("CWE-327"),
    since: "0.1.0",
};
