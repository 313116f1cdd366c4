//! Packages that end the program of their users.

use super::prelude::*;

pub use crate::common::panic_in_library::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_panic_in_library);

/// Words that say that only a mistake in the package itself leads there.
const MISTAKES: &[&str] = &["bug:", "impossible", "internal error", "unreachable"];

fn check_panic_in_library<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_panic =
        node.kind() == "call_expression" && field(node, "function").is_some_and(|it| context.text(it) == "panic");
    if !is_panic || context.is_test_file() || context.is_main_package() {
        return;
    }
    let Some(function) = context.function_around(node) else { return };
    let name = field(function, "name").map_or("", |name| context.text(name));
    let result = field(function, "result").map_or("", |result| context.text(result));
    let returns_error = result.split(|c: char| !c.is_alphanumeric() && c != '.').any(|word| word == "error");
    // What is recovered passes on, what cannot happen is said to be so, and what was asked to panic does.
    let said = context.text(node).to_ascii_lowercase();
    let is_asked = context.tree().ancestors_of(node).any(|at| {
        at.kind() == "expression_case" && field(at, "value").is_some_and(|value| context.text(value).contains("Panic"))
    });
    let goes_on =
        context.text(function).contains("recover()") || MISTAKES.iter().any(|word| said.contains(word)) || is_asked;
    let is_exported = name.starts_with(char::is_uppercase) && !name.starts_with("Must");
    if is_exported && returns_error && !goes_on {
        out.push(context.report(&RULE, node, format!("`{name}` returns errors, and panics here")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["func (p *P) Load() error { panic(\"x\") }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func MustLoad() error { panic(\"x\") }",
                "func Load() error { panic(\"BUG: no name\") }",
                "func Load(on int) error { switch on { case PanicOnError: panic(g()) }; return nil }",
                "func load() error { panic(\"x\") }",
                "func Load() { panic(\"x\") }",
                "package main\nfunc Load() error { panic(\"x\") }",
                "func Load() (err error) { defer func() { recover() }(); panic(\"x\") }",
            ],
        );
    }
}
