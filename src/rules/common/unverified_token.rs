//! Tokens that are believed without a look at their signature.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

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
    examples: &[
        Example {
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
        },
        Example {
            path: "example.rs",
            bad: "use jsonwebtoken::{DecodingKey, Validation, decode};

pub fn user_of(token: &str, key: &DecodingKey) -> Option<String> {
    let mut validation = Validation::default();
    validation.insecure_disable_signature_validation();
    decode::<Claims>(token, key, &validation).ok().map(|token| token.claims.user)
}
",
            good: "use jsonwebtoken::{DecodingKey, Validation, decode};

pub fn user_of(token: &str, key: &DecodingKey) -> Option<String> {
    decode::<Claims>(token, key, &Validation::default()).ok().map(|token| token.claims.user)
}
",
        },
    ],
    cwe: Some("CWE-347"),
    since: "0.1.0",
};
