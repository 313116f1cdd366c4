//! Functions that are too long to be read, tested and compiled as one thing.

use ruff_python_ast::{Expr, Stmt, StmtFunctionDef};

use super::suites::{every_stmt, inner_suites, is_definition};
use super::{ModuleRunner, View};
use crate::python::metrics::complexity::keyword_start;
use tapps_base::finding::Finding;

pub use crate::common::oversize_block::RULE;

pub(super) const RUN: ModuleRunner = check_oversize_block;

/// Logical lines that cost nothing.
const LIMIT: u32 = 60;
/// Thousandths per logical line above the limit.
const PER_LINE: u32 = 30;
/// The most that one function costs.
const MOST: u32 = 3_000;

/// Reports each function above the limit; what it defines inside counts for itself.
fn check_oversize_block(view: &View, found: &mut Vec<Finding>) {
    every_stmt(view.body, &mut |stmt| {
        let Stmt::FunctionDef(def) = stmt else { return };
        let size = logical_lines(def);
        if size > LIMIT {
            let start = keyword_start(view.lines.text(), def.range, &def.decorator_list);
            let message = format!("`{}` has {size} logical lines", def.name);
            let cost = (RULE.cost + (size - LIMIT - 1) * PER_LINE).min(MOST);
            found.push(view.finding_at(&RULE, start, message).costing(cost).measuring(size).anchored(def.name.as_str()));
        }
    });
}

/// Statements and clause headers of a function's body, without its docstring and without the inside of definitions.
fn logical_lines(def: &StmtFunctionDef) -> u32 {
    let docstring = def
        .body
        .first()
        .is_some_and(|stmt| matches!(stmt, Stmt::Expr(node) if matches!(node.value.as_ref(), Expr::StringLiteral(_))));
    count_statements(&def.body) - u32::from(docstring)
}

fn count_statements(body: &[Stmt]) -> u32 {
    body.iter().map(|stmt| if is_definition(stmt) { 1 } else { 1 + clauses(stmt) }).sum()
}

fn clauses(stmt: &Stmt) -> u32 {
    let suites = inner_suites(stmt).into_iter().filter(|suite| !suite.is_empty());
    // The first suite's header is the statement itself.
    suites.enumerate().map(|(index, suite)| u32::from(index > 0) + count_statements(suite)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::found;
    use super::*;

    #[rstest::rstest]
    #[case(60, &[])]
    #[case(61, &[300])]
    #[case(71, &[600])]
    #[case(500, &[3000])]
    fn grades(#[case] lines: usize, #[case] expected: &[u32]) {
        let text = format!("@d\ndef f():\n    '''Doc.'''\n{}", "    x()\n".repeat(lines));
        let findings = found(check_oversize_block, &text);
        assert_eq!(findings.iter().map(|f| f.cost).collect::<Vec<_>>(), expected);
        assert!(findings.iter().all(|f| f.line == 2));
    }

    #[test]
    fn clauses_count_and_inner_functions_do_not() {
        let text = "def f():\n    if a: x\n    elif b: y\n    else: z\n    def g():\n        y\n        y\n";
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        let Stmt::FunctionDef(def) = &parsed.suite()[0] else { panic!() };
        assert_eq!(logical_lines(def), 7);
    }
}
