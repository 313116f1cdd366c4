//! Tokens that are believed without a look at their signature.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_method, package_member};
use crate::go::scopes::function_name;
use crate::words::speaks_of;

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
    if unread && !is_verified_elsewhere(context, node) || none && !is_compared(context, node) {
        out.push(context.report(&RULE, node, "nobody looks at the signature of this token"));
    }
}

/// What verifies a token, and names of functions that look at one for another end: when it expires, whose it is.
const VERIFYING: &[&str] = &["ParseWithClaims(", "jwt.Parse(", ".Verify(", "VerifySignature(", "ValidateTokenSignature("];
const LOOKING: &[&str] = &["expir", "expiry", "expires", "issuer", "kid", "scope", "unverified"];

/// True where the file verifies tokens as well, so that this only looks which key to take; for a token that the program keeps for itself; and
/// in a function that says what it looks for.
fn is_verified_elsewhere(context: &GoContext<'_>, call: Node<'_>) -> bool {
    let text = context.tree().source_text();
    let is_own = arguments_of(call).first().is_some_and(|token| token.kind() == "selector_expression");
    is_own || VERIFYING.iter().any(|way| text.contains(way)) || speaks_of(function_name(context, call), LOOKING)
}

/// `if token.Method == jwt.SigningMethodNone {`
fn is_compared(context: &GoContext<'_>, node: Node<'_>) -> bool {
    context.tree().parent_of(node).is_some_and(|parent| parent.kind() == "binary_expression")
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
        assert_clean(
            &RULE,
            &[
                "import \"github.com/golang-jwt/jwt/v5\"\nfunc f(s string) { jwt.Parse(s, key) }",
                "import \"github.com/golang-jwt/jwt/v5\"\nfunc f(s string) { p.ParseUnverified(s, c); p.ParseWithClaims(s, c, key) }",
                "import \"github.com/golang-jwt/jwt/v5\"\nfunc f(u User) { p.ParseUnverified(u.token, c) }",
                "import \"github.com/golang-jwt/jwt/v5\"\nfunc expiryOf(s string) { p.ParseUnverified(s, c) }",
                "import \"github.com/golang-jwt/jwt/v5\"\nfunc f(t *jwt.Token) { if t.Method == jwt.SigningMethodNone { g() } }",
            ],
        );
    }
}
