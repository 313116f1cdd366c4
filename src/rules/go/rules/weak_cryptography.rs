//! Ciphers and hashes that are broken.

use super::prelude::*;
use crate::go::calls::called_member;
use crate::go::scopes::names_around;
use crate::words::split_identifier_words;

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
        here.",
    examples: &[Example {
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
    }],
    cwe: Some("CWE-327"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_weak_cryptography);

/// Uses that ask a hash only to tell contents apart.
const HARMLESS: &[&str] = &[
    "cache", "cached", "checksum", "chunk", "content", "dedupe", "digest", "etag", "file", "fingerprint", "gravatar", "hash", "hashed",
    "integrity", "key", "md5", "path", "sha1", "shard", "sum", "uuid", "version", "websocket",
];
const PROTECTING: &[&str] = &["auth", "passwd", "password", "secret", "sign", "signature", "token"];

fn check_weak_cryptography<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((path, name)) = called_member(context, node).filter(|_| !context.is_test_file()) else { return };
    let weak = match (path, name) {
        ("crypto/md5", "New" | "Sum") | ("crypto/sha1", "New" | "Sum") if !is_harmless(context, node) => path,
        ("crypto/des", "NewCipher" | "NewTripleDESCipher") | ("crypto/rc4", "NewCipher") => path,
        _ => return,
    };
    out.push(context.report(&RULE, node, format!("`{weak}` is too weak to protect anything")));
}

fn is_harmless(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let words: Vec<String> = names_around(context, node).into_iter().flat_map(split_identifier_words).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    !has(PROTECTING) && has(HARMLESS)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"crypto/sha1\"\nfunc signature(b []byte) { g(sha1.Sum(b)) }",
                "import \"crypto/des\"\nfunc cacheKey(k []byte) { des.NewCipher(k) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"crypto/md5\"\nfunc etag(b []byte) { g(md5.Sum(b)) }",
                "import \"crypto/sha1\"\nfunc f() { checksum := sha1.New(); g(checksum) }",
                "import \"crypto/sha256\"\nfunc sign(b []byte) { sha256.Sum256(b) }",
            ],
        );
    }
}
