//! Packages that end the program of their users.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

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
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package parse

import "errors"

func Number(text string) (int, error) {
	if text == "" {
		panic(errors.New("no text"))
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
        },
        Example {
            path: "example.rs",
            bad: r#"pub fn number(text: &str) -> Result<u32, ParseError> {
    if text.is_empty() {
        panic!("no text");
    }
    convert(text)
}
"#,
            good: "pub fn number(text: &str) -> Result<u32, ParseError> {
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    convert(text)
}
",
        },
    ],
    cwe: None,
    since: "0.1.0",
};
