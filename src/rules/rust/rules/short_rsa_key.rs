//! RSA keys that can be found out.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_call_of};

pub use crate::common::short_rsa_key::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_short_rsa_key);

const LEAST_BITS: u32 = 2_048;

fn check_short_rsa_key<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, &["RsaPrivateKey::new", "Rsa::generate", "RSAPrivateKey::new"])
        || context.is_aside(node)
    {
        return;
    }
    let bits = arguments_of(node).last().and_then(|bits| context.text(*bits).replace('_', "").parse::<u32>().ok());
    if let Some(bits) = bits.filter(|bits| *bits < LEAST_BITS) {
        out.push(context.report(&RULE, node, format!("{bits} bits can be found out")));
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
            &["use openssl::rsa::Rsa;
fn f() { let key = Rsa::generate(1_024); g(key) }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "use openssl::rsa::Rsa;
fn f() { let key = Rsa::generate(2048); g(key) }",
                "fn f() { let key = Other::generate(1024); g(key) }",
            ],
        );
    }
}
