//! Functions that are called with a row of values nobody can tell apart.

use super::CRunner;
use crate::tree::limits::check_too_many_parameters;

pub use crate::common::too_many_parameters::RULE;

pub(super) const RUN: CRunner = CRunner::File(check_too_many_parameters);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "a.c", &["void f(int a, int b, int c, int d, int e, int f, int g, int h) { }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(&RULE, "a.c", &["void f(int a, int b, int c, int d, int e, int f, int g) { }"]);
    }
}
