//! Secrets made from the clock or from a small random number.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "shell-random-secret",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "`$RANDOM` has 32768 values and the clock fewer: such a secret is tried out in a moment.",
    help: "Take it from `openssl rand -hex 32` or from `/dev/urandom`.",
    explanation: "The shell's random numbers are made for games, and a hash of one has no more values than the \
        number. The system has a source for secrets: `openssl rand` and `/dev/urandom` give bytes that \
        nobody can foresee.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/bash
TOKEN=$(echo "$RANDOM" | sha256sum | cut -c 1-32)
"#,
        good: r#"#!/bin/bash
TOKEN=$(openssl rand -hex 16)
"#,
    }],
    cwe: Some("CWE-338"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["variable_assignment"], check_shell_random_secret);

fn check_shell_random_secret<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const SECRETS: &[&str] = &["key", "passphrase", "passwd", "password", "salt", "secret", "session", "token"];
    let (Some(name), Some(value)) = (field(node, "name"), field(node, "value")) else { return };
    let words = split_identifier_words(context.text(name));
    let is_secret = words.iter().any(|word| SECRETS.contains(&word.as_str()));
    let value = context.text(value);
    let strong = ["/dev/urandom", "/dev/random", "openssl rand", "uuidgen", "pwgen", "gpg"];
    let guessed = value.contains("$RANDOM") || value.contains("${RANDOM}") || value.contains("$(date");
    if is_secret && guessed && !strong.iter().any(|source| value.contains(source)) {
        let message = format!("`{}` can be guessed: it has a few thousand values", context.text(name));
        out.push(context.report(&RULE, node, message));
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
                r#"TOKEN=$RANDOM"#,
                r#"password="$RANDOM$RANDOM""#,
                r#"session_key=$(date +%s | sha256sum | head -c 32)"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"PORT=$((RANDOM % 1000 + 2000))"#,
                r#"TOKEN=$(openssl rand -hex 32)"#,
                r#"delay=$RANDOM"#,
                r#"keyboard=$RANDOM"#,
            ],
        );
    }
}
