//! Functions with very many statements.

use super::prelude::*;
use crate::tree::limits::check_oversize_block;

pub use crate::common::oversize_block::RULE;

pub(super) const RUN: RustRunner = RustRunner::File(check_oversize_block);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn above_and_below_the_limit() {
        let (above, below) =
            (format!("fn f() {{ {} }}", "g();\n".repeat(61)), format!("fn f() {{ {} }}", "g();\n".repeat(60)));
        assert_found(&RULE, &[&above]);
        assert_clean(&RULE, &[&below]);
    }
}
