//! Errors that are looked at and then let go.

use super::prelude::*;

pub use crate::common::empty_error_branch::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["if_statement"], check_empty_error_branch);

fn check_empty_error_branch<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(condition), Some(branch)) = (field(node, "condition"), field(node, "consequence")) else { return };
    let words: Vec<&str> = context.text(condition).split_whitespace().collect();
    let is_about_error = matches!(words.as_slice(), [name, "!=", "nil"] if name.to_ascii_lowercase().ends_with("err"));
    // A comment is a child too.
    if is_about_error && branch.named_child_count() == 0 && !goes_on_with_error(node) {
        out.push(context.report(&RULE, node, "the error is tested, and nothing is done about it"));
    }
}

/// `if a, err = g(); err != nil {} else {`: the error was there before, is there behind, and only the rest is left out.
fn goes_on_with_error(node: Node<'_>) -> bool {
    field(node, "alternative").is_some()
        && field(node, "initializer").is_some_and(|first| first.kind() == "assignment_statement")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["func f() { if err != nil {} }", "func f() { if readErr != nil {\n} else { g() } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f() { if err != nil { g() } }",
                "func f() { if err != nil {\n// The file need not be there.\n} }",
                "func f() { if a != nil {} }",
                "func f() (err error) { if a, err = g(); err != nil {\n} else { h(a) }; return err }",
            ],
        );
    }
}
