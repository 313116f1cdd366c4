//! Secrets that are compared until they differ.

use super::prelude::*;
use crate::c::calls::is_constant_name;
use crate::words::speaks_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "secret-compared-bytewise",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "How long this takes tells how much of the secret was right.",
    help: "Use `CRYPTO_memcmp`, `sodium_memcmp` or `timingsafe_bcmp`.",
    explanation: "`memcmp` and `strcmp` stop at the first byte that differs. Whoever can measure the time guesses one \
        byte after the other. Functions for secrets look at every byte, whatever they find.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <string.h>

int is_valid(const unsigned char *hmac, const unsigned char *expected) {
    return memcmp(hmac, expected, 32) == 0;
}
"#,
        good: r#"#include <openssl/crypto.h>

int is_valid(const unsigned char *hmac, const unsigned char *expected) {
    return CRYPTO_memcmp(hmac, expected, 32) == 0;
}
"#,
    }],
    cwe: Some("CWE-208"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_secret_compared_bytewise);

fn check_secret_compared_bytewise<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const SECRETS: &[&str] = &["hmac", "passphrase", "passwd", "password", "secret", "signature"];
    let arguments = arguments_of(node);
    if !is_library_call(context, node, &["memcmp", "strcmp", "strncmp", "bcmp"]) || context.is_test_file() {
        return;
    }
    let is_secret = |argument: &Node<'c>| {
        let name = context.text(*argument);
        let is_name = matches!(argument.kind(), "identifier" | "field_expression");
        is_name
            && !is_constant_name(name)
            && speaks_of(name, SECRETS)
    };
    // With a text of the source a word is recognised, and nothing is guessed.
    let sides = || arguments.iter().take(2);
    if sides().any(is_secret) && !sides().any(|side| is_literal_text(*side) || is_constant_name(context.text(*side))) {
        out.push(context.report(&RULE, node, "this stops at the first byte that is wrong"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "example.c",
            &[
                "int f(const char *a, const char *password) { return strcmp(a, password); }",
                "int f(struct k *k, const char *b) { return memcmp(k->hmac, b, 32); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "int f(const char *name, const char *b) { return strcmp(name, b); }",
                "int f(const char *password) { return strcmp(password, \"\"); }",
                "int f(const char *a, const char *hmac) { return CRYPTO_memcmp(a, hmac, 32); }",
            ],
        );
    }
}
