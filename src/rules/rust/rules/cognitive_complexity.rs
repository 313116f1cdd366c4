//! Functions whose flow is hard to follow.

use super::prelude::*;
use crate::tree::limits::check_cognitive_complexity;

pub use crate::common::cognitive_complexity::RULE;

pub(super) const RUN: RustRunner = RustRunner::File(check_cognitive_complexity);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn above_and_below_the_limit() {
        let (above, below) = (
            format!("fn f() {{ {} a(); {} }}", "loop { ".repeat(7), "}".repeat(7)),
            format!("fn f() {{ {} a(); {} }}", "loop { ".repeat(6), "}".repeat(6)),
        );
        assert_found(&RULE, &[&above]);
        assert_clean(&RULE, &[&below]);
    }
}
