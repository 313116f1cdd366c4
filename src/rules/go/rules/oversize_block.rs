//! Functions with very many statements.

use super::prelude::*;
use crate::tree::limits::check_oversize_block;

pub use crate::common::oversize_block::RULE;

pub(super) const RUN: GoRunner = GoRunner::File(check_oversize_block);

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, go_findings};
    use super::*;

    #[test]
    fn long_functions() {
        let told = go_findings(&RULE, "a.go", &format!("func f() {{ {} }}", "g();\n".repeat(80)));
        assert_eq!((told.len(), told[0].cost, told[0].line), (1, 20 * 30, 2));
        let told = go_findings(&RULE, "a.go", &format!("func f() {{ {} }}", "g();\n".repeat(400)));
        assert_eq!(told[0].cost, 3_000);
    }

    #[test]
    fn short_functions_and_functions_inside() {
        let inner = "h(func() { g(); g() });\n".repeat(40);
        assert_clean(&RULE, &[&format!("func f() {{ {inner} }}"), &format!("func f() {{ {} }}", "g();\n".repeat(60))]);
    }
}
