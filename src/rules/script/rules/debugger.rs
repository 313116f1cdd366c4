//! A `debugger` statement.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "debugger",
    aliases: &["eslint:no-debugger"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 500,
    blocking: false,
    summary: "It stops the program whenever developer tools are open.",
    help: "remove the statement",
    explanation: "The statement stops the program in the browser of everyone who has the developer tools open. It is a \
        leftover of looking for a mistake. Remove it; a breakpoint in the debugger does the same without changing the \
        code.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function total(prices: number[]): number {
  debugger;
  return prices.reduce((sum, price) => sum + price, 0);
}
",
        good: "export function total(prices: number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_debugger);

fn check_debugger<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if let AstKind::DebuggerStatement(statement) = node.kind() {
        out.push(context.report(&RULE, statement.span, "a `debugger` statement was left in"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn left_in() {
        assert_one_finding_each(&RULE, "a.js", &["function f() { debugger; }"]);
    }

    #[test]
    fn only_the_statement() {
        assert_no_findings(&RULE, "a.js", &["x.debugger(); // debugger"]);
    }
}
