//! Keys and passwords that stand in the source.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_call_of, string_literal, without_borrows};
use crate::rust::scopes::assigned_value;

pub use crate::common::hard_coded_key::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_hard_coded_key);

const MAKERS: &[&str] = &[
    "EncodingKey::from_secret",
    "DecodingKey::from_secret",
    "EncodingKey::from_base64_secret",
    "hmac::Key::new",
    "HS256Key::from_bytes",
    "Aes128Gcm::new_from_slice",
    "Aes256Gcm::new_from_slice",
    "ChaCha20Poly1305::new_from_slice",
    "HmacSha256::new_from_slice",
    "HmacSha512::new_from_slice",
    "Hmac::new_from_slice",
    "Key::from_slice",
    "Key::derive_from",
    "PKey::hmac",
];
/// Least length of a text that somebody may have meant as a key.
const LEAST: usize = 4;

fn check_hard_coded_key<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, MAKERS) || context.is_aside(node) {
        return;
    }
    let is_literal = |argument: &Node<'c>| {
        let mut value = without_borrows(context, *argument);
        if value.kind() == "identifier" {
            value = assigned_value(context, value).map_or(value, |value| without_borrows(context, value));
        }
        string_literal(context, value).is_some_and(|text| text.len() >= LEAST)
    };
    if arguments_of(node).iter().any(is_literal) {
        out.push(context.report(&RULE, node, "the key stands in the source"));
    }
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
                r#"use jsonwebtoken::DecodingKey;
const SECRET: &str = "a secret of ours";
fn f() -> DecodingKey { DecodingKey::from_secret(SECRET.as_bytes()) }"#,
                r#"fn f() -> HmacSha256 { HmacSha256::new_from_slice(b"0123456789abcdef").unwrap() }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "use jsonwebtoken::DecodingKey;
fn f(secret: &str) -> DecodingKey { DecodingKey::from_secret(secret.as_bytes()) }",
                r#"fn f() -> Thing { Thing::from_secret("a secret of ours") }"#,
                r#"#[cfg(test)]
mod tests { fn f() -> K { DecodingKey::from_secret(b"a secret of ours") } }"#,
            ],
        );
    }
}
