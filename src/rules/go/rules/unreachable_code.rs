//! Statements behind one that leaves.

use super::prelude::*;
use crate::go::context::is_test_data;

pub use crate::common::unreachable_code::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["statement_list"], check_unreachable_code);

fn check_unreachable_code<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if node.kind() != "statement_list" || is_test_data(context.path()) {
        return;
    }
    let statements: Vec<Node<'c>> = named_children(node).collect();
    let leaving = statements.iter().position(|statement| leaves(context, *statement));
    let Some(next) = leaving.and_then(|at| statements.get(at + 1)) else { return };
    // A `goto` leads to a label, whatever stands before it.
    if next.kind() != "labeled_statement" {
        out.push(context.report(&RULE, *next, "control never gets here"));
    }
}

fn leaves(context: &GoContext<'_>, statement: Node<'_>) -> bool {
    match statement.kind() {
        "return_statement" | "break_statement" | "continue_statement" | "goto_statement" => true,
        "expression_statement" => {
            // Behind other calls that never return, such as `os.Exit`, the compiler asks for a `return`.
            let called = named_children(statement).next().and_then(|call| field(call, "function"));
            called.is_some_and(|function| context.text(function) == "panic")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_stands_behind() {
        assert_found(
            &RULE,
            &[
                "func f() int {\n\treturn 1\n\tg()\n}",
                "func f() {\n\tfor {\n\t\tbreak\n\t\tg()\n\t}\n}",
                "func f() {\n\tpanic(1)\n\tg()\n}",
                "func f() {\n\tswitch a {\n\tcase 1:\n\t\treturn\n\t\tg()\n\t}\n}",
            ],
        );
    }

    #[test]
    fn ends_labels_and_branches() {
        assert_clean(
            &RULE,
            &[
                "func f() int {\n\tg()\n\treturn 1\n}",
                "func f() {\n\tif a {\n\t\treturn\n\t}\n\tg()\n}",
                "func f() {\n\tgoto end\nend:\n\tg()\n}",
                "func f() {\n\treturn // done\n\t// nothing\n}",
                "func f() int {\n\tlog.Fatal(1)\n\treturn 1\n}",
            ],
        );
    }
}
