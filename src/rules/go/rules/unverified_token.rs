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
        let finding = context.report(&RULE, node, "nobody looks at the signature of this token");
        out.push(finding.doubted_if(is_explained(context, node)));
    }
}

/// True where a comment of the function says why, and in a branch that asks whether there is a signature at all.
fn is_explained(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(function) = context.outermost_function(node) else { return false };
    let near = |at: &Node<'_>| at.end_row() <= node.start_row() && node.start_row() - at.end_row() <= NEAR;
    let mut comments = context.tree().subtree_of(function).filter(|at| at.kind() == "comment" && near(at));
    let says = comments.any(|comment| speaks_of(context.text(comment), &["verification", "verified", "verifies", "verify", "signature", "unverified"]));
    let mut branches = context.tree().ancestors_of(node).filter_map(|at| field(at, "condition"));
    says || branches.any(|asked| context.text(asked).contains("SigningMethodNone"))
}

/// Lines between a reason and what it is given for.
const NEAR: usize = 4;

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
    use tapps_base::finding::Confidence::{High, Low};

    use super::super::testing::{assert_clean, assert_confidence, assert_found};
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
    fn what_is_explained_is_doubted() {
        let file = |body: &str| format!("import \"github.com/golang-jwt/jwt/v5\"\nfunc f(s string) {{\n{body}\n}}");
        for (body, expected) in [
            ("// The other side verifies it.\np.ParseUnverified(s, c)", Low),
            ("// Who is it of?\np.ParseUnverified(s, c)", High),
            ("if t.Method == jwt.SigningMethodNone { g(jwt.UnsafeAllowNoneSignatureType) }", Low),
            ("// It is verified.\na()\nb()\nc()\nd()\np.ParseUnverified(s, c)", High),
        ] {
            assert_confidence(&RULE, "a.go", &file(body), expected);
        }
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
