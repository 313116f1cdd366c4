//! Tokens that are believed without a look at their signature.

use super::prelude::*;
use crate::go::calls::{called_method, package_member};

pub use crate::common::unverified_token::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression", "selector_expression"], check_unverified_token);

fn check_unverified_token<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    let unread = called_method(context, node).is_some_and(|(_, name)| name == "ParseUnverified");
    let none = package_member(context, node).is_some_and(|(path, name)| {
        path.contains("jwt") && matches!(name, "UnsafeAllowNoneSignatureType" | "SigningMethodNone")
    });
    if unread || none {
        out.push(context.report(&RULE, node, "nobody looks at the signature of this token"));
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
                "import \"github.com/golang-jwt/jwt/v5\"\nfunc f(t *jwt.Token) { t.SignedString(jwt.UnsafeAllowNoneSignatureType) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["import \"github.com/golang-jwt/jwt/v5\"\nfunc f(s string) { jwt.Parse(s, key) }"]);
    }
}
