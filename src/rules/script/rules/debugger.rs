//! A `debugger` statement.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "debugger",
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 500,
    summary: "It stops the program whenever developer tools are open.",
    help: "remove the statement",
    cwe: None,
};

pub(super) const RUN: Run = Run::Node(check);

fn check<'c, 'a>(context: &Context<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if let AstKind::DebuggerStatement(statement) = node.kind() {
        out.push(context.report(&RULE, statement.span, "a `debugger` statement was left in"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clean, found};
    use super::*;

    #[test]
    fn left_in() {
        found(&RULE, "a.js", &["function f() { debugger; }"]);
    }

    #[test]
    fn only_the_statement() {
        clean(&RULE, "a.js", &["x.debugger(); // debugger"]);
    }
}
