//! Tokens that are believed without their signature.

use super::prelude::*;
use crate::rust::calls::{is_call_of, is_method_of};

pub use crate::common::unverified_token::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_unverified_token);

fn check_unverified_token<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_off = is_method_of(context, node, &["insecure_disable_signature_validation"])
        || is_call_of(context, node, &["dangerous::insecure_decode", "dangerous_insecure_decode"]);
    if is_off && !context.is_test_code(node) {
        out.push(context.report(&RULE, node, "the signature of this token is not checked"));
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
            &["fn f(token: &str) { let t = jsonwebtoken::dangerous::insecure_decode::<Claims>(token); g(t); }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &["fn f(token: &str) { let t = jsonwebtoken::decode::<Claims>(token, key, validation); g(t); }"],
        );
    }
}
