//! Functions that are called with a row of values nobody can tell apart.

use super::prelude::*;
use crate::tree::limits::check_too_many_parameters;

pub use crate::common::too_many_parameters::RULE;

pub(super) const RUN: RustRunner = RustRunner::File(check_too_many_parameters);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn above_and_below_the_limit() {
        let (above, below) = (
            "fn f(a: A, b: A, c: A, d: A, e: A, f: A, g: A, h: A) {}".to_owned(),
            "fn f(&self, a: A, b: A, c: A, d: A, e: A, f: A, g: A) {}".to_owned(),
        );
        assert_found(&RULE, &[&above]);
        assert_clean(&RULE, &[&below]);
    }
}
