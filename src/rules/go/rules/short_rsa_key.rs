//! RSA keys that can be found out.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of};

pub use crate::common::short_rsa_key::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_short_rsa_key);

const LEAST_BITS: u32 = 2_048;

fn check_short_rsa_key<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "crypto/rsa", &["GenerateKey"]) || context.is_test_file() {
        return;
    }
    let bits = arguments_of(node).get(1).and_then(|bits| context.text(*bits).parse::<u32>().ok());
    if let Some(bits) = bits.filter(|bits| *bits < LEAST_BITS) {
        out.push(context.report(&RULE, node, format!("{bits} bits can be factored")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import \"crypto/rsa\"\nfunc f() { rsa.GenerateKey(r, 512) }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &["import \"crypto/rsa\"\nfunc f() { rsa.GenerateKey(r, 2048); rsa.GenerateKey(r, bits) }"],
        );
    }
}
