//! Functions with very many statements.

use super::prelude::*;
use crate::shape::BlockKind;

pub use crate::common::oversize_block::RULE;

/// What differs in scripts.
const IN_SCRIPTS: Rule = Rule {
    cost: 30,
    help: "split the function into parts that each do one thing",
    ..RULE
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_oversize_block);

/// Statements of its own that a function may have.
pub const MAX_STATEMENTS: u32 = 60;
/// The most that one function costs.
const MAX_COST: u32 = 3_000;

fn check_oversize_block(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    for measured in &context.measures.measured {
        let block = &measured.block;
        if block.kind == BlockKind::Class || measured.statements <= MAX_STATEMENTS || is_wrapper(context, measured.node)
        {
            continue;
        }
        let message = format!("`{}` has {} statements; {MAX_STATEMENTS} is the limit", block.name, measured.statements);
        let excess = measured.statements - MAX_STATEMENTS;
        let finding = context.report_excess(&IN_SCRIPTS, measured, excess, MAX_COST, message);
        out.push(finding.measuring(measured.statements));
    }
}

/// A function around a whole module or test suite is its scope, not a block of work.
fn is_wrapper(context: &ScriptContext<'_, '_>, node: oxc_semantic::NodeId) -> bool {
    let is_outermost = context.function_around(node).is_none();
    let is_called = matches!(context.parent(node).kind(), AstKind::CallExpression(_) | AstKind::UnaryExpression(_));
    is_outermost && is_called
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings};
    use super::*;

    #[test]
    fn long_functions() {
        let text = format!("function f() {{ {} }}", "g();\n".repeat(80));
        let told = findings(&RULE, "a.js", &text);
        assert_eq!((told.len(), told[0].cost, told[0].line), (1, 20 * 30, 1));
        let text = format!("class A {{ m() {{ {} }} }}", "g();\n".repeat(400));
        assert_eq!(findings(&RULE, "a.js", &text)[0].cost, 3_000);
    }

    #[test]
    fn short_functions_inner_functions_and_wrappers() {
        let inner = "function g() { h(); h(); }\n".repeat(40);
        let statements = "g();\n".repeat(60);
        let many = "g();\n".repeat(100);
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                &format!("function f() {{ {inner} }}"),
                &format!("function f() {{ {statements} }}"),
                &format!("(function () {{ {many} }})()"),
                &many,
            ],
        );
    }
}
