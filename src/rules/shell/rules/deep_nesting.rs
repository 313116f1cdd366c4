//! Control flow nested so deep that no reader keeps the conditions in mind.

use super::ShellRunner;
use crate::tree::limits::check_deep_nesting;

pub use crate::common::deep_nesting::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::File(check_deep_nesting);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["f() { if a; then for b in c; do while d; do case e in f) if g; then h; fi;; esac; done; done; fi; }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["f() { if a; then for b in c; do while d; do case e in f) g;; esac; done; done; fi; }"]);
    }
}
