//! Keys of RSA that are too short.

use super::prelude::*;
use crate::c::calls::{called_function, number_of};

pub use crate::common::short_rsa_key::RULE;

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_short_rsa_key);

fn check_short_rsa_key<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let at = match called_function(context, node) {
        Some("RSA_generate_key") => 0,
        Some("RSA_generate_key_ex" | "EVP_PKEY_CTX_set_rsa_keygen_bits") => 1,
        Some("mbedtls_rsa_gen_key") => 3,
        _ => return,
    };
    let bits = arguments_of(node).get(at).and_then(|bits| number_of(context, *bits));
    if bits.is_some_and(|bits| (1..2048).contains(&bits)) && !context.is_test_file() {
        out.push(context.report(&RULE, node, "a key of RSA needs 2048 bits or more"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "a.c", &["void f(RSA *r, BIGNUM *e) { RSA_generate_key_ex(r, 1024, e, NULL); }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.c",
            &[
                "void f(RSA *r, BIGNUM *e) { RSA_generate_key_ex(r, 3072, e, NULL); }",
                "void f(RSA *r, int b, BIGNUM *e) { RSA_generate_key_ex(r, b, e, NULL); }",
            ],
        );
    }
}
