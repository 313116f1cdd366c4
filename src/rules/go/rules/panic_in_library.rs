//! Packages that end the program of their users.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "panic-in-library",
    aliases: &["forbidigo:panic"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "An exported function that returns errors panics instead of returning one.",
    help: "Return the error.",
    explanation: "A panic ends the program unless somebody recovers, and callers of a function that returns an error \
        have no reason to. Return an error; keep `panic` for what only a mistake in this package can bring \
        about, in functions that cannot fail otherwise, or in ones named `Must…`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package parse

func Number(text string) (int, error) {
	if text == "" {
		panic("no text")
	}
	return convert(text)
}
"#,
        good: r#"package parse

import "errors"

func Number(text string) (int, error) {
	if text == "" {
		return 0, errors.New("no text")
	}
	return convert(text)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_panic_in_library);

fn check_panic_in_library<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_panic = node.kind() == "call_expression" && field(node, "function").is_some_and(|it| context.text(it) == "panic");
    if !is_panic || context.is_test_file() || context.is_main_package() {
        return;
    }
    let Some(function) = context.function_around(node) else { return };
    let name = field(function, "name").map_or("", |name| context.text(name));
    let result = field(function, "result").map_or("", |result| context.text(result));
    let returns_error = result.split(|c: char| !c.is_alphanumeric() && c != '.').any(|word| word == "error");
    // What is recovered passes on, and what cannot happen is said to be so.
    let goes_on = context.text(function).contains("recover()") || context.text(node).contains("unreachable");
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
        assert_found(
            &RULE,
            &[
                "func (p *P) Load() error { panic(\"x\") }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func MustLoad() error { panic(\"x\") }",
                "func load() error { panic(\"x\") }",
                "func Load() { panic(\"x\") }",
                "package main\nfunc Load() error { panic(\"x\") }",
                "func Load() (err error) { defer func() { recover() }(); panic(\"x\") }",
            ],
        );
    }
}
