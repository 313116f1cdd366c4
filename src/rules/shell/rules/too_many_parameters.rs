//! Functions that take more arguments than anybody puts in the right order.

use super::ShellRunner;
use crate::tree::limits::check_too_many_parameters;

pub use crate::common::too_many_parameters::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::File(check_too_many_parameters);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["f() { echo \"$1\" \"$8\"; }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["f() { echo \"$1\" \"$7\"; }", "echo \"$9\""]);
    }
}
