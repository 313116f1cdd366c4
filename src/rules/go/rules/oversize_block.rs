//! Functions with very many statements.

use super::prelude::*;

pub use crate::common::oversize_block::RULE;

/// What differs in Go.
const IN_GO: Rule = Rule { cost: 30, ..RULE };

pub(super) const RUN: GoRunner = GoRunner::File(check_oversize_block);

/// Statements of its own that a function may have.
const MAX_STATEMENTS: u32 = 60;
/// The most that one function costs.
const MAX_COST: u32 = 3_000;

fn check_oversize_block(context: &GoContext<'_>, out: &mut Vec<Finding>) {
    for measured in context.measures.blocks.iter().filter(|measured| measured.statements > MAX_STATEMENTS) {
        let (name, statements) = (&measured.block.name, measured.statements);
        let message = format!("`{name}` has {statements} statements; {MAX_STATEMENTS} is the limit");
        out.push(context.report_excess(&IN_GO, measured, (statements, MAX_STATEMENTS, MAX_COST), message));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, go_findings};
    use super::*;

    #[test]
    fn long_functions() {
        let told = go_findings(&RULE, "a.go", &format!("func f() {{ {} }}", "g();\n".repeat(80)));
        assert_eq!((told.len(), told[0].cost, told[0].line), (1, 20 * 30, 2));
        let told = go_findings(&RULE, "a.go", &format!("func f() {{ {} }}", "g();\n".repeat(400)));
        assert_eq!(told[0].cost, 3_000);
    }

    #[test]
    fn short_functions_and_functions_inside() {
        let inner = "h(func() { g(); g() });\n".repeat(40);
        assert_clean(&RULE, &[&format!("func f() {{ {inner} }}"), &format!("func f() {{ {} }}", "g();\n".repeat(60))]);
    }
}
