//! Functions that are too long. A script that does one thing after another is none.

use super::prelude::*;
use crate::shell::language::SCRIPT;
use crate::tree::limits::check_oversize_block;

pub use crate::common::oversize_block::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::File(check_functions);

fn check_functions(context: &ShellContext<'_>, out: &mut Vec<Finding>) {
    let mut found = Vec::new();
    check_oversize_block(context, &mut found);
    out.extend(found.into_iter().filter(|finding| finding.anchor != SCRIPT));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        let text = format!("f() {{\n{}}}", "a\n".repeat(61));
        assert_found(&RULE, &[&text]);
    }

    #[test]
    fn what_is_left_alone() {
        let (function, script) = (format!("f() {{\n{}}}", "a\n".repeat(60)), "a\n".repeat(200));
        assert_clean(&RULE, &[&function, &script]);
    }
}
