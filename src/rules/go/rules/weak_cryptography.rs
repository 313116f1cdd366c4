//! Ciphers and hashes that are broken.

use super::prelude::*;
use crate::go::calls::called_member;
use crate::go::scopes::names_around;
use crate::words::split_identifier_words;

pub use crate::common::weak_cryptography::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_weak_cryptography);

/// Uses that ask a hash only to tell contents apart.
const HARMLESS: &[&str] = &[
    "cache",
    "cached",
    "checksum",
    "chunk",
    "content",
    "dedupe",
    "digest",
    "etag",
    "file",
    "fingerprint",
    "gravatar",
    "hash",
    "hashed",
    "id",
    "integrity",
    "key",
    "md5",
    "path",
    "sha1",
    "shard",
    "sum",
    "uuid",
    "version",
    "websocket",
];
const PROTECTING: &[&str] = &[
    "auth", "cookie", "credential", "csrf", "login", "nonce", "passwd", "password", "secret", "session", "sign", "signature",
    "token",
];

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
    // `newFromHash(md5.New(), name)`
    let calls = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    let callees = calls.filter(|at| at.kind() == "call_expression").filter_map(|call| field(call, "function"));
    let names = names_around(context, node).into_iter().chain(callees.map(|callee| context.text(callee)));
    let words: Vec<String> = names.flat_map(split_identifier_words).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // `shaSum`, `filehash`
    let is_sum = words.iter().any(|word| word.ends_with("hash") || word.ends_with("sum"));
    !has(PROTECTING) && (is_sum || has(HARMLESS))
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
                "import \"crypto/sha1\"\nfunc f(b []byte) { signed(sha1.Sum(b)); sign(sha256.Sum(b)) }",
                "import \"crypto/md5\"\nfunc sessionID(b []byte) { g(md5.Sum(b)) }",
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
                "import \"crypto/sha1\"\nfunc imageID(b []byte) { g(sha1.Sum(b)) }",
                "import \"crypto/md5\"\nfunc NewV3(n Name) ID { return newFromHash(md5.New(), n) }",
                "import \"crypto/sha1\"\nfunc f() { filehash := sha1.New(); g(filehash) }",
                "import \"crypto/sha1\"\nfunc f() { checksum := sha1.New(); g(checksum) }",
                "import \"crypto/sha256\"\nfunc sign(b []byte) { sha256.Sum256(b) }",
            ],
        );
    }
}
