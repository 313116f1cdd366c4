//! Tokens that are believed without a look at their signature.

use super::prelude::*;
use crate::go::calls::{called_method, package_member};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unverified-token",
    aliases: &["gosec:jwt"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A token whose signature nobody checks says whatever its sender wants.",
    help: "Parse it with the key, and name the methods of signing that are accepted.",
    explanation: "A JWT is a text that anybody can write; the signature alone shows that it was made here. \
        `ParseUnverified` does not look at it, and the method `none` is a token without one. Use `Parse` \
        with the key and `WithValidMethods`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package auth

import "github.com/golang-jwt/jwt/v5"

func claims(text string) (*jwt.Token, error) {
	parser := jwt.NewParser()
	token, _, err := parser.ParseUnverified(text, jwt.MapClaims{})
	return token, err
}
"#,
        good: r#"package auth

import "github.com/golang-jwt/jwt/v5"

func claims(text string, key jwt.Keyfunc) (*jwt.Token, error) {
	return jwt.Parse(text, key, jwt.WithValidMethods([]string{"HS256"}))
}
"#,
    }],
    cwe: Some("CWE-347"),
    since: "0.1.0",
};

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
        assert_clean(
            &RULE,
            &[
                "import \"github.com/golang-jwt/jwt/v5\"\nfunc f(s string) { jwt.Parse(s, key) }",
            ],
        );
    }
}
