//! Secrets that can be foretold.

use super::prelude::*;
use crate::java::calls::{created_type, is_static_call};
use crate::java::scopes::names_around;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "util-random-secret",
    aliases: &["sonar:S2245", "findsecbugs:PREDICTABLE_RANDOM", "pmd:InsecureCryptoIv"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A secret is made with random numbers that can be foretold.",
    help: "Use `SecureRandom`.",
    explanation: "`Random` is a formula with 48 bits of state: after a few numbers all further ones are known. \
        Tokens, salts and passwords come from `SecureRandom`. Reported is what a name around calls a secret.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.util.Random;

class Tokens {
    long newToken() {
        return new Random().nextLong();
    }
}
"#,
        good: r#"import java.security.SecureRandom;

class Tokens {
    private static final SecureRandom RANDOM = new SecureRandom();

    long newToken() {
        return RANDOM.nextLong();
    }
}
"#,
    }],
    cwe: Some("CWE-338"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "object_creation_expression"], check_util_random_secret);

const SECRET: &[&str] = &["csrf", "nonce", "otp", "passphrase", "password", "salt", "secret", "token"];

fn check_util_random_secret<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_plain = created_type(context, node) == Some("Random")
        || is_static_call(context, node, "Math", &["random"])
        || is_static_call(context, node, "ThreadLocalRandom", &["current"])
        || is_static_call(context, node, "RandomStringUtils", &["random", "randomAlphanumeric", "randomAlphabetic", "randomNumeric"]);
    if !is_plain || context.is_test_file() {
        return;
    }
    let mut words = names_around(context, node).into_iter().flat_map(split_identifier_words);
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
        assert_found(&RULE, &[
            "void f() { String password = RandomStringUtils.randomAlphanumeric(8); g(password); }",
            "String resetToken() { return \"\" + Math.random(); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "int roll() { return new Random().nextInt(6); }",
            "byte[] salt() { return new SecureRandom().generateSeed(8); }",
        ]);
    }
}
