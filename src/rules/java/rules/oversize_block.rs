//! Methods too long to take in.

use super::JavaRunner;
use crate::tree::limits::check_oversize_block;

pub use crate::common::oversize_block::RULE;

pub(super) const RUN: JavaRunner = JavaRunner::File(check_oversize_block);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn statements_are_counted() {
        let method = |count: usize| format!("void f() {{ {} }}", "g();".repeat(count));
        assert_found(&RULE, &[&method(61)]);
        assert_clean(&RULE, &[&method(60)]);
    }
}
