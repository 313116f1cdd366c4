//! Functions whose flow is hard to follow.

use super::JavaRunner;
use crate::tree::limits::check_cognitive_complexity;

pub use crate::common::cognitive_complexity::RULE;

pub(super) const RUN: JavaRunner = JavaRunner::File(check_cognitive_complexity);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["void f() { for (;;) { for (;;) { for (;;) { for (;;) { for (;;) { for (;;) { for (;;) { if (a) { b(); } } } } } } } } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["void f() { for (;;) { for (;;) { if (a) { b(); } } } }"]);
    }
}
