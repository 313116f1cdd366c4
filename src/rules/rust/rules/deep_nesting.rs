//! Control flow nested deeply.

use super::prelude::*;
use crate::tree::limits::check_deep_nesting;

pub use crate::common::deep_nesting::RULE;

pub(super) const RUN: RustRunner = RustRunner::File(check_deep_nesting);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn above_and_below_the_limit() {
        let (above, below) = (
            "fn f() { if a { for b in c { loop { match d { 1 => if e { g() }, _ => {} } } } } }".to_owned(),
            "fn f() { if a { for b in c { loop { match d { 1 => e(), _ => {} } } } } }".to_owned(),
        );
        assert_found(&RULE, &[&above]);
        assert_clean(&RULE, &[&below]);
    }
}
