//! Functions too long to take in.

use super::CRunner;
use crate::tree::limits::check_oversize_block;

pub use crate::common::oversize_block::RULE;

pub(super) const RUN: CRunner = CRunner::File(check_oversize_block);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn statements_are_counted() {
        let function = |count: usize| format!("void f(void) {{ {} }}", "g();".repeat(count));
        assert_found_in(&RULE, "a.c", &[&function(61)]);
        assert_clean_in(&RULE, "a.c", &[&function(60)]);
    }
}
