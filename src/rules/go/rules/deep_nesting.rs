//! Control flow nested deeply.

use super::prelude::*;
use crate::tree::limits::check_deep_nesting;

pub use crate::common::deep_nesting::RULE;

pub(super) const RUN: GoRunner = GoRunner::File(check_deep_nesting);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, go_findings};
    use super::*;

    #[test]
    fn deep_functions() {
        let text = "func f() { if a { for { for b { switch c { case 1: select { case <-d: if e { g() } } } } } } }";
        let told = go_findings(&RULE, "a.go", text);
        assert_eq!((told.len(), told[0].cost), (1, 600));
    }

    #[test]
    fn shallow_functions() {
        assert_clean(&RULE, &["func f() { if a { for { for b { switch c { case 1: g() } } } } }"]);
    }
}
