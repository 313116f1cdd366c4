//! Functions that are called with a row of values nobody can tell apart.

use super::prelude::*;

pub use crate::common::too_many_parameters::RULE;

/// What differs in Go, where every argument is one by position.
const IN_GO: Rule = Rule { help: "Group what belongs together in a struct.", ..RULE };

pub(super) const RUN: GoRunner = GoRunner::File(check_too_many_parameters);

/// Parameters that cost nothing.
const LIMIT: u32 = 7;

fn check_too_many_parameters(context: &GoContext<'_>, out: &mut Vec<Finding>) {
    for measured in context.measures.blocks.iter().filter(|measured| measured.block.parameters > LIMIT) {
        let message = format!("`{}` takes {} parameters", measured.block.name, measured.block.parameters);
        out.push(context.report(&IN_GO, measured.node, message).anchored(measured.block.name.as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn long_rows() {
        assert_found(&RULE, &["func f(a, b, c, d, e, f, g, h int) {}", "func (t *T) f(a, b, c string, d, e, f, g, h int) {}"]);
    }

    #[test]
    fn short_rows_and_the_context() {
        assert_clean(&RULE, &["func f(a, b, c, d, e, f, g int) {}", "func f(ctx context.Context, a, b, c, d, e, f, g int) {}"]);
    }
}
