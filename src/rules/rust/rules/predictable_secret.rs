//! Secrets that can be guessed from the numbers before them.

use super::prelude::*;
use crate::rust::calls::ends_path;
use crate::rust::scopes::names_around;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "predictable-secret",
    aliases: &["rand:small_rng"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3000,
    blocking: false,
    summary: "A generator that is made for speed, or that starts from a known number, gives secrets that can \
        be computed.",
    help: "Use `rand::rng()`, `OsRng` or `getrandom`.",
    explanation: "Fast generators are made for simulations and games: from a few of their numbers all others \
        follow. One that starts from a fixed seed gives the same secrets to everybody who has the \
        source. What must not be guessed (tokens, passwords, keys, salts, nonces) comes from the system.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn session_token() -> String {
    let numbers = fastrand::Rng::new();
    std::iter::repeat_with(|| numbers.alphanumeric()).take(32).collect()
}
",
        good: "use rand::distr::{Alphanumeric, SampleString};

pub fn session_token() -> String {
    Alphanumeric.sample_string(&mut rand::rng(), 32)
}
",
    }],
    cwe: Some("CWE-338"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_predictable_secret);

const GENERATORS: &[&str] = &[
    "SmallRng::from_rng",
    "SmallRng::from_os_rng",
    "SmallRng::from_entropy",
    "SmallRng::seed_from_u64",
    "StdRng::seed_from_u64",
    "ChaCha8Rng::seed_from_u64",
    "ChaCha20Rng::seed_from_u64",
    "Pcg32::seed_from_u64",
    "Xoshiro256PlusPlus::seed_from_u64",
    "XorShiftRng::seed_from_u64",
];
const SECRETS: &[&str] = &["apikey", "nonce", "otp", "passwd", "password", "salt", "secret", "session", "token"];

fn check_predictable_secret<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(path) = context.called_path(node).filter(|_| !context.is_aside(node)) else { return };
    let is_weak = path.starts_with("fastrand::")
        || path.starts_with("oorandom::")
        || GENERATORS.iter().any(|one| ends_path(path, one));
    if !is_weak {
        return;
    }
    let mut words = names_around(context, node).into_iter().flat_map(split_identifier_words);
    if words.any(|word| SECRETS.contains(&word.as_str())) {
        out.push(context.report(&RULE, node, format!("what `{path}` gives can be computed")));
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
            &["use rand::{SeedableRng, rngs::StdRng};
fn new_password() -> String { let mut rng = StdRng::seed_from_u64(7); make(&mut rng) }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &["fn jitter() -> u64 { fastrand::u64(..100) }", "fn token() -> String { make(&mut rand::rng()) }"],
        );
    }
}
