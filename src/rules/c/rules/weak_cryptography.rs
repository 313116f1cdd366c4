//! Ciphers and hashes that are broken.

use super::prelude::*;
use crate::c::calls::called_function;
use crate::c::scopes::names_around_value;
use crate::words::split_identifier_words;

pub use crate::common::weak_cryptography::RULE;

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_weak_cryptography);

fn check_weak_cryptography<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const DIGESTS: &[&str] = &[
        "MD2",
        "MD4",
        "MD5",
        "SHA1",
        "EVP_md4",
        "EVP_md5",
        "EVP_sha1",
        "mbedtls_md5",
        "mbedtls_sha1",
        "CC_MD5",
        "CC_SHA1",
    ];
    const PROTECTING: &[&str] = &["auth", "passphrase", "passwd", "password", "secret", "sign", "signature", "token"];
    let Some(name) = called_function(context, node).filter(|_| !context.is_test_file()) else { return };
    let is_cipher = ["EVP_des_", "EVP_rc4", "EVP_rc2_", "EVP_bf_", "DES_ecb", "DES_ncbc", "RC4_set_key"]
        .iter()
        .any(|start| name.starts_with(start))
        || name.starts_with("EVP_aes_") && name.ends_with("_ecb");
    let protects = || {
        let words = names_around_value(context, node).into_iter().flat_map(split_identifier_words);
        words.into_iter().any(|word| PROTECTING.contains(&word.as_str()))
    };
    let is_digest = DIGESTS.contains(&name) && field(node, "function").is_some_and(|of| of.kind() == "identifier");
    if is_cipher || is_digest && protects() {
        out.push(context.report(&RULE, node, format!("`{name}` is too weak to protect anything")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "a.c",
            &[
                "const void *f(void) { return EVP_des_cbc(); }",
                "void hash_password(const char *a, char *b) { MD5(a, 3, b); }",
                "const void *f(void) { return EVP_aes_128_ecb(); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.c",
            &[
                "const void *f(void) { return EVP_aes_256_gcm(); }",
                "void checksum(const char *a, char *b) { MD5(a, 3, b); }",
                "void hash_password(const char *a, char *b) { SHA256(a, 3, b); }",
            ],
        );
    }
}
