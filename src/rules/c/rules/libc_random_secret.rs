//! Secrets from a generator that can be guessed.

use super::prelude::*;
use crate::c::scopes::names_around_value;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "libc-random-secret",
    aliases: &["flawfinder:random", "clang-tidy:cert-msc30-c"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "What `rand` gives can be computed from what it gave before.",
    help: "Use `getrandom`, `arc4random_buf`, `BCryptGenRandom` or `RAND_bytes`.",
    explanation: "`rand`, `random` and `drand48` are made for games and simulations: a few of their values, or the \
        second in which they were seeded, tell all the others. Keys, tokens, salts and passwords come from \
        the system.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdlib.h>

void make_token(unsigned char *token, int size) {
    for (int i = 0; i < size; i++) {
        token[i] = rand() % 256;
    }
}
"#,
        good: r#"#include <sys/random.h>

long make_token(unsigned char *token, unsigned long size) {
    return getrandom(token, size, 0);
}
"#,
    }],
    cwe: Some("CWE-338"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_libc_random_secret);

fn check_libc_random_secret<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const SECRETS: &[&str] =
        &["cookie", "csrf", "key", "nonce", "otp", "passphrase", "passwd", "password", "salt", "secret", "token"];
    if !is_library_call(context, node, &["rand", "rand_r", "random", "drand48", "lrand48", "mrand48"])
        || context.is_test_file()
    {
        return;
    }
    let words = names_around_value(context, node).into_iter().flat_map(split_identifier_words);
    if words.into_iter().any(|word| SECRETS.contains(&word.as_str())) {
        out.push(context.report(&RULE, node, "what this gives can be guessed"));
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
            &["void f(char *token) { token[0] = rand(); }", "int make_password(void) { return random(); }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &["int roll(void) { return rand() % 6; }", "void f(char *token) { getrandom(token, 8, 0); }"],
        );
    }
}
