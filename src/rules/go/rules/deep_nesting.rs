//! Control flow nested deeply.

use super::prelude::*;

pub use crate::common::deep_nesting::RULE;

pub(super) const RUN: GoRunner = GoRunner::File(check_deep_nesting);

/// Levels of control flow that a function may have.
const MAX_NESTING: u32 = 4;
/// The most that one function costs.
const MAX_COST: u32 = 1_500;

fn check_deep_nesting(context: &GoContext<'_>, out: &mut Vec<Finding>) {
    for measured in context.measures.blocks.iter().filter(|measured| measured.block.nesting > MAX_NESTING) {
        let (name, nesting) = (&measured.block.name, measured.block.nesting);
        let message = format!("`{name}` nests control flow {nesting} deep; {MAX_NESTING} is the limit");
        out.push(context.report_excess(&RULE, measured, (nesting, MAX_NESTING, MAX_COST), message));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, go_findings};
    use super::*;

    #[test]
    fn deep_functions() {
        let text = "func f() { if a { for { for b { switch c { case 1: select { case <-d: if e { g() } } } } } } }";
        let told = go_findings(&RULE, "a.go", text);
        assert_eq!((told.len(), told[0].cost), (1, 600));
    }

    #[test]
    fn shallow_functions() {
        assert_clean(&RULE, &["func f() { if a { for { for b { switch c { case 1: g() } } } } }"]);
    }
}
