//! Functions whose flow is hard to follow.

use super::CRunner;
use crate::tree::limits::check_cognitive_complexity;

pub use crate::common::cognitive_complexity::RULE;

pub(super) const RUN: CRunner = CRunner::File(check_cognitive_complexity);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "a.c",
            &[
                "void f(void) { for (;;) { for (;;) { for (;;) { for (;;) { for (;;) { for (;;) { for (;;) { if (a) { b(); } } } } } } } } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(&RULE, "a.c", &["void f(void) { for (;;) { for (;;) { if (a) { b(); } } } }"]);
    }
}
