//! Statements behind one that leaves.

use super::prelude::*;
use crate::rust::macros::macro_name;

pub use crate::common::unreachable_code::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["block"], check_unreachable_code);

fn check_unreachable_code<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_item = |statement: &Node<'c>| {
        statement.kind().ends_with("_item")
            || matches!(statement.kind(), "macro_definition" | "use_declaration" | "empty_statement")
    };
    let statements: Vec<Node<'c>> = named_children(node).filter(|statement| !is_item(statement)).collect();
    let leaves = |statement: &Node<'c>| {
        let expression =
            if statement.kind() == "expression_statement" { named_children(*statement).next() } else { None };
        expression.is_some_and(|at| {
            matches!(at.kind(), "return_expression" | "break_expression" | "continue_expression")
                || matches!(macro_name(context, at), Some("panic" | "unreachable" | "todo"))
        })
    };
    // What stands behind an attribute may not be compiled.
    let is_conditional = |statement: &Node<'c>| context.attributes_of(*statement).next().is_some();
    let leaving = statements.iter().position(|statement| leaves(statement) && !is_conditional(statement));
    if let Some(next) = leaving.and_then(|at| statements.get(at + 1)).filter(|next| !context.is_test_code(**next)) {
        out.push(context.report(&RULE, *next, "control never gets here"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f() { loop { break; g(); } }", r#"fn f() -> u8 { panic!("no"); 1 }"#]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f() { if a { return; } g(); }",
                "fn f() { g(); return; }",
                "fn f() -> u8 { return g(); fn g() -> u8 { 1 } }",
                "fn f() -> u8 { #[cfg(unix)] return 1; 2 }",
            ],
        );
    }
}
