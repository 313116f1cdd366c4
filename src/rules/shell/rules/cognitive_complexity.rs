//! Functions whose flow nobody keeps in mind.

use super::ShellRunner;
use crate::tree::limits::check_cognitive_complexity;

pub use crate::common::cognitive_complexity::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::File(check_cognitive_complexity);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "f() {\nfor a in b; do if c; then for d in e; do if g; then while h; do if i; then j; fi; done; fi; done; fi; done\nfor a in b; do if c; then for d in e; do if g; then while h; do if i; then j; fi; done; fi; done; fi; done\n}",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["f() { if a; then b; fi; }"]);
    }
}
