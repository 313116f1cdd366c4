//! Ciphers and hashes that are broken.

use super::prelude::*;
use crate::rust::calls::{arguments_of, ends_path};
use crate::rust::scopes::names_around;
use crate::words::split_identifier_words;

pub use crate::common::weak_cryptography::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_weak_cryptography);

const HASHES: &[&str] = &["Md4", "Md5", "Sha1", "Ripemd160"];
const CIPHERS: &[&str] = &[
    "des::Des::new",
    "des::TdesEde3::new",
    "rc4::Rc4::new",
    "Cipher::des_cbc",
    "Cipher::des_ecb",
    "Cipher::des_ede3_cbc",
    "Cipher::rc4",
];
const PROTECTING: &[&str] = &["auth", "credential", "passwd", "password", "secret", "sign", "signature", "token"];

fn check_weak_cryptography<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(path) = context.called_path(node).filter(|_| !context.is_aside(node)) else { return };
    let last_two: Vec<&str> = path.rsplit("::").take(2).collect();
    let is_hash = path == "md5::compute"
        || matches!(last_two.as_slice(), ["new" | "digest" | "new_with_prefix", of] if HASHES.contains(of));
    let is_cipher = CIPHERS.iter().any(|cipher| ends_path(path, cipher));
    if is_cipher || is_hash && is_protecting(context, node) {
        out.push(context.report(&RULE, node, format!("`{path}` protects nothing any more")));
    }
}

/// Most uses of these hashes ask only whether two contents are the same; names tell those that protect something.
fn is_protecting<'c>(context: &RustContext<'c>, node: Node<'c>) -> bool {
    let arguments = arguments_of(node).into_iter().map(|argument| context.text(argument));
    let mut names = names_around(context, node).into_iter().chain(arguments).flat_map(split_identifier_words);
    names.any(|word| PROTECTING.contains(&word.as_str()))
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
                "use sha1::{Digest, Sha1};
fn sign_token(text: &[u8]) -> Vec<u8> { Sha1::new().chain_update(text).finalize().to_vec() }",
                r#"fn password_hash(text: &str) -> String { format!("{:x}", 1); let d = md5::compute(text); g(d) }"#,
                "use des::Des;
fn f(key: &[u8]) { let c = Des::new(key.into()); g(c) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn etag(text: &[u8]) -> Etag { md5::compute(text).into() }",
                "use sha2::{Digest, Sha256};
fn sign(text: &[u8]) -> V { Sha256::digest(text) }",
            ],
        );
    }
}
