//! Control flow nested deeply.

use super::prelude::*;
use crate::shape::BlockKind;

pub use crate::common::deep_nesting::RULE;

/// What differs in scripts.
const IN_SCRIPTS: Rule = Rule {
    help: "return early, or move the inner part into a function of its own",
    ..RULE
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_deep_nesting);

/// Levels of control flow that a function may have.
pub const MAX_NESTING: u32 = 4;
/// The most that one function costs.
const MAX_COST: u32 = 1_500;

fn check_deep_nesting(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    for measured in &context.measures.measured {
        let block = &measured.block;
        if block.kind == BlockKind::Class || block.nesting <= MAX_NESTING {
            continue;
        }
        let message = format!("`{}` nests control flow {} deep; {MAX_NESTING} is the limit", block.name, block.nesting);
        let finding = context.report_excess(&IN_SCRIPTS, measured, block.nesting - MAX_NESTING, MAX_COST, message);
        out.push(finding.measuring(block.nesting));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings};
    use super::*;

    #[test]
    fn deep_functions() {
        let told = findings(&RULE, "a.js", "function f() { if (a) { for (;;) { while (b) { try { switch (c) { case 1: if (d) e() } } finally {} } } } }");
        assert_eq!((told.len(), told[0].cost), (1, 600));
    }

    #[test]
    fn shallow_functions() {
        assert_no_findings(&RULE, "a.js", &["function f() { if (a) { for (;;) { while (b) { try { c() } finally {} } } } }", "if (a) { if (b) { if (c) { if (d) { if (e) f() } } } }"]);
    }
}
