//! Control flow nested so deep that no reader keeps the conditions in mind.

use ruff_python_ast::Stmt;
use ruff_text_size::{Ranged as _, TextSize};

use super::suites::{every_scope, inner_suites, is_definition};
use super::{ModuleRunner, View};
use crate::python::metrics::complexity::is_control_flow;
use tapps_base::finding::Finding;

pub use crate::common::deep_nesting::RULE;

pub(super) const RUN: ModuleRunner = check_deep_nesting;

/// Levels that cost nothing.
const LIMIT: u32 = 4;
/// The most that one function costs.
const MOST: u32 = 1500;

/// Reports the deepest place of each function, and of the module, once.
fn check_deep_nesting(view: &View, found: &mut Vec<Finding>) {
    every_scope(view.body, &mut |body| {
        let mut deepest = (0, TextSize::default());
        descend_into_body(body, 0, &mut deepest);
        let (depth, place) = deepest;
        if depth > LIMIT {
            let cost = ((depth - LIMIT) * RULE.cost).min(MOST);
            found.push(
                view.finding_at(&RULE, place, format!("control flow is nested {depth} levels deep"))
                    .costing(cost)
                    .measuring(depth),
            );
        }
    });
}

fn descend_into_body(body: &[Stmt], depth: u32, deepest: &mut (u32, TextSize)) {
    for stmt in body.iter().filter(|stmt| !is_definition(stmt)) {
        let depth = depth + u32::from(is_control_flow(stmt));
        if depth > deepest.0 {
            *deepest = (depth, stmt.start());
        }
        for suite in inner_suites(stmt) {
            descend_into_body(suite, depth, deepest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::found;
    use super::*;

    fn nested(levels: usize) -> String {
        let mut text = "def f():\n".to_owned();
        for level in 1..=levels {
            text += &format!("{}{}:\n", "    ".repeat(level), ["if x", "for a in b", "while y", "with z"][level % 4]);
        }
        text + &"    ".repeat(levels + 1) + "pass\n"
    }

    #[rstest::rstest]
    #[case(4, &[])]
    #[case(5, &[(6, 300)])]
    #[case(7, &[(8, 900)])]
    #[case(40, &[(41, 1500)])]
    fn grades(#[case] levels: usize, #[case] expected: &[(u32, u32)]) {
        let shown: Vec<_> = found(check_deep_nesting, &nested(levels)).iter().map(|f| (f.line, f.cost)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn elif_does_not_nest() {
        let text = format!("if a: x\n{}", "elif b: y\n".repeat(20));
        assert!(found(check_deep_nesting, &text).is_empty());
    }
}
