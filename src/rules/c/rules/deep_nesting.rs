//! Control flow nested so deep that no reader keeps the conditions in mind.

use super::CRunner;
use crate::tree::limits::check_deep_nesting;

pub use crate::common::deep_nesting::RULE;

pub(super) const RUN: CRunner = CRunner::File(check_deep_nesting);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "a.c",
            &["void f(void) { if (a) { for (;;) { while (b) { switch (c) { case 1: if (d) { g(); } } } } } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.c",
            &["void f(void) { if (a) { for (;;) { while (b) { switch (c) { case 1: g(); } } } } }"],
        );
    }
}
