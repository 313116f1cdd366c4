//! Errors compared with one value, although they may be wrapped.

use super::prelude::*;
use crate::go::scopes::function_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "error-equality",
    aliases: &["errorlint:comparison"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A wrapped error equals nothing, so a comparison with `==` misses it.",
    help: "Use `errors.Is`.",
    explanation: "Since errors are wrapped with `%w`, the error at hand is often a chain, and `==` sees its first \
        link alone. `errors.Is` looks through the chain. `io.EOF` is left out here: readers promise to \
        return it bare.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package users

import "database/sql"

func IsMissing(err error) bool {
	return err == sql.ErrNoRows
}
"#,
        good: r#"package users

import (
	"database/sql"
	"errors"
)

func IsMissing(err error) bool {
	return errors.Is(err, sql.ErrNoRows)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["binary_expression"], check_error_equality);

fn check_error_equality<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_comparison = node.kind() == "binary_expression"
        && field(node, "operator").is_some_and(|it| matches!(it.kind(), "==" | "!="));
    let sides = (field(node, "left"), field(node, "right"));
    let (true, (Some(left), Some(right))) = (is_comparison, sides) else { return };
    let is_value = |side: Node<'_>| {
        let name = context.text(side).rsplit('.').next().unwrap_or_default();
        name.strip_prefix("Err").is_some_and(|rest| rest.starts_with(char::is_uppercase))
    };
    let is_variable =
        |side: Node<'_>| side.kind() == "identifier" && context.text(side).to_ascii_lowercase().ends_with("err");
    // The method `Is` is what `errors.Is` asks.
    if (is_variable(left) && is_value(right) || is_value(left) && is_variable(right))
        && function_name(context, node) != "Is"
    {
        out.push(context.report(&RULE, node, "a wrapped error is not equal to this one"));
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
                "func f(err error) bool { return ErrGone != err }",
                "func f(err error) { if err == os.ErrNotExist { g() } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(err error) bool { return err == io.EOF || err == nil }",
                "func (e E) Is(err error) bool { return err == ErrGone }",
                "func f(a, b error) bool { return a == b }",
            ],
        );
    }
}
