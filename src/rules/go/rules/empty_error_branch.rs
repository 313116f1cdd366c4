//! Errors that are looked at and then let go.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "empty-error-branch",
    aliases: &["staticcheck:SA9003", "revive:empty-block"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "An error is tested and nothing is done about it.",
    help: "Return the error, handle it, or say in a comment why it does not matter.",
    explanation: "An empty branch behind `err != nil` looks like handling and is none: the program goes on with a \
        value that is not there. Return the error with what was being done, or handle it. Where it truly \
        does not matter, a comment in the branch says why.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package save

func Save(row Row) {
	if err := write(row); err != nil {
	}
}
"#,
        good: r#"package save

import "fmt"

func Save(row Row) error {
	if err := write(row); err != nil {
		return fmt.Errorf("save %s: %w", row.ID, err)
	}
	return nil
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["if_statement"], check_empty_error_branch);

fn check_empty_error_branch<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(condition), Some(branch)) = (field(node, "condition"), field(node, "consequence")) else { return };
    let words: Vec<&str> = context.text(condition).split_whitespace().collect();
    let is_about_error = matches!(words.as_slice(), [name, "!=", "nil"] if name.to_ascii_lowercase().ends_with("err"));
    // A comment is a child too.
    if is_about_error && branch.named_child_count() == 0 {
        out.push(context.report(&RULE, node, "the error is tested, and nothing is done about it"));
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
                "func f() { if err != nil {} }",
                "func f() { if readErr != nil {\n} else { g() } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f() { if err != nil { g() } }",
                "func f() { if err != nil {\n// The file need not be there.\n} }",
                "func f() { if a != nil {} }",
            ],
        );
    }
}
