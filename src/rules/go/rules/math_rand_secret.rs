//! Secrets from numbers that can be foretold.

use super::prelude::*;
use crate::go::calls::called_member;
use crate::go::scopes::names_around;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "math-rand-secret",
    aliases: &["gosec:G404"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Numbers of `math/rand` can be foretold, and so can a secret made of them.",
    help: "Use `crypto/rand`.",
    explanation: "`math/rand` is made to be fast, not to be secret: who sees some of its numbers can work out the \
        next ones, and the token of the next user with them. `crypto/rand` asks the system for numbers \
        that nobody can foretell; `rand.Text()` there makes a token.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package session

import "math/rand"

func NewToken() int64 {
	return rand.Int63()
}
"#,
        good: r#"package session

import "crypto/rand"

func NewToken() string {
	return rand.Text()
}
"#,
    }],
    cwe: Some("CWE-338"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_math_rand_secret);

const SECRET: &[&str] = &["csrf", "nonce", "otp", "passphrase", "password", "salt", "secret", "token"];

fn check_math_rand_secret<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(("math/rand" | "math/rand/v2", name)) = called_member(context, node) else { return };
    if matches!(name, "New" | "NewSource" | "Seed" | "NewPCG" | "NewChaCha8") || context.is_test_file() {
        return;
    }
    let names = names_around(context, node);
    let mut words = names.iter().flat_map(|name| split_identifier_words(name));
    if let Some(word) = words.find(|word| SECRET.contains(&word.as_str())) {
        out.push(context.report(&RULE, node, format!("a {word} that can be foretold")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import \"math/rand\"\nfunc f() { password := rand.Intn(10); g(password) }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"math/rand\"\nfunc f() { delay := rand.Intn(10); g(delay) }",
                "import \"crypto/rand\"\nfunc token() { rand.Int(a, b) }",
            ],
        );
    }
}
