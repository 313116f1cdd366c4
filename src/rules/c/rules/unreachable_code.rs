//! Statements behind one that leaves.

use super::prelude::*;

pub use crate::common::unreachable_code::RULE;

pub(super) const RUN: CRunner = CRunner::Kinds(&["compound_statement"], check_unreachable_code);

fn check_unreachable_code<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let statements: Vec<Node<'c>> = named_children(node).collect();
    let leaving = statements.iter().position(|statement| is_jump(context, *statement));
    let Some(next) = leaving.and_then(|at| statements.get(at + 1)) else { return };
    // A label is reached from elsewhere, and so is a case; behind a directive another branch begins.
    let is_reached =
        matches!(next.kind(), "labeled_statement" | "case_statement") || next.kind().starts_with("preproc");
    // Behind a call that ends the program some compilers ask for a value.
    let is_asked_for = next.kind() == "return_statement"
        && leaving.and_then(|at| statements.get(at)).is_some_and(|at| at.kind() == "expression_statement");
    let is_sign = context.text(*next) == ";";
    let is_break = next.kind() == "break_statement";
    let is_labelled =
        context.tree().subtree_of(*next).any(|at| matches!(at.kind(), "labeled_statement" | "case_statement"));
    // A branch of the preprocessor that was left out may stand between.
    let end = leaving.and_then(|at| statements.get(at)).map_or(0, |statement| statement.end_byte());
    let between = context.tree().source_text().get(end..next.start_byte()).unwrap_or_default();
    if !is_reached && !is_asked_for && !is_sign && !is_break && !is_labelled && !between.contains('#') {
        out.push(context.report(&RULE, *next, "control never gets here"));
    }
}

fn is_jump(context: &CContext<'_>, statement: Node<'_>) -> bool {
    match statement.kind() {
        "return_statement" | "break_statement" | "continue_statement" | "goto_statement" | "throw_statement" => true,
        "expression_statement" => named_children(statement)
            .next()
            .is_some_and(|call| is_library_call(context, call, &["abort", "std::abort"])),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "a.c",
            &[
                "int f(void) { return 1; g(); }",
                "void f(void) { for (;;) { break; g(); } }",
                "void f(void) { abort(); g(); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.c",
            &[
                "int f(void) { g(); return 1; }",
                "void f(int a) { if (a) { return; } g(); }",
                "void f(void) { goto end; end: g(); }",
                "void f(int a) { switch (a) { case 1: return; break; } }",
                "int f(void) { abort(); return 1; }",
                "int f(void) {\n#ifdef A\n return 1;\n#endif\n return 2;\n}",
            ],
        );
    }
}
