//! Functions that are called with a row of values nobody can tell apart.

use super::prelude::*;
use crate::tree::limits::check_too_many_parameters;

pub use crate::common::too_many_parameters::RULE;

pub(super) const RUN: GoRunner = GoRunner::File(check_too_many_parameters);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn long_rows() {
        assert_found(
            &RULE,
            &["func f(a, b, c, d, e, f, g, h int) {}", "func (t *T) f(a, b, c string, d, e, f, g, h int) {}"],
        );
    }

    #[test]
    fn short_rows_and_the_context() {
        assert_clean(
            &RULE,
            &["func f(a, b, c, d, e, f, g int) {}", "func f(ctx context.Context, a, b, c, d, e, f, g int) {}"],
        );
    }
}
