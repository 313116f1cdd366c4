//! Errors that are looked at and then let go.

use super::prelude::*;

pub use crate::common::empty_error_branch::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["match_arm"], check_empty_error_branch);

fn check_empty_error_branch<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(pattern), Some(value)) = (field(node, "pattern"), field(node, "value")) else { return };
    let pattern = context.text(pattern).trim();
    let inside = pattern.strip_prefix("Err(").and_then(|rest| rest.strip_suffix(')'));
    // An error that is named by its kind is expected; so is one that is none.
    let is_any = inside.is_some_and(|name| name.chars().all(|sign| sign.is_ascii_lowercase() || sign == '_'));
    let is_empty = value.kind() == "block" && value.named_child_count() == 0 || value.kind() == "unit_expression";
    // A comment says why: in the block, or behind it on the line.
    let line =
        context.tree().source_text().get(node.end_byte()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let is_explained = line.contains("//") || !context.comment_above(node).is_empty();
    if is_any && is_empty && !is_explained && !context.is_aside(node) {
        out.push(context.report(&RULE, node, "the error is tested, and nothing is done about it"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f() { match g() { Ok(a) => h(a), Err(_) => () } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f() { match g() { Ok(a) => h(a), Err(error) => log(error) } }",
                "fn f() { match g() { Ok(a) => h(a), Err(_) => { /* nobody reads it */ } } }",
                "fn f() { match g() { Ok(a) => h(a), Err(Error::Closed) => {} } }",
                "fn f() {
    match g() {
        Ok(a) => h(a),
        // The other side has gone.
        Err(_) => {}
    }
}",
            ],
        );
    }
}
