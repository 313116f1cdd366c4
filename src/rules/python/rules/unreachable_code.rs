//! Statements that no path reaches.

use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::{Ranged as _, TextRange};

use super::loops::is_always_true;
use super::suites::{every_suite, inner_suites, is_definition};
use super::{ModuleRunner, View};
use tapps_base::finding::Finding;

pub use crate::common::unreachable_code::RULE;

pub(super) const RUN: ModuleRunner = check_unreachable_code;

/// Reports the first unreachable statement of each suite.
fn check_unreachable_code(view: &View, found: &mut Vec<Finding>) {
    every_suite(view.body, &mut |suite| {
        let Some(index) = suite.iter().position(always_leaves_suite) else { return };
        let rest = suite.get(index + 1..).unwrap_or_default();
        if let (Some(first), Some(last)) = (rest.first(), rest.last())
            && !rest.iter().any(makes_a_generator)
        {
            let place = TextRange::new(first.start(), last.end());
            found.push(view.finding(&RULE, place, format!("nothing reaches this code after {}", name(&suite[index]))));
        }
    });
}

/// True when control never goes on to the next statement of the suite.
fn always_leaves_suite(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Return(_) | Stmt::Raise(_) | Stmt::Continue(_) | Stmt::Break(_) => true,
        Stmt::If(node) => {
            let has_else = node.elif_else_clauses.last().is_some_and(|clause| clause.test.is_none());
            has_else
                && node.body.iter().any(always_leaves_suite)
                && node.elif_else_clauses.iter().all(|clause| clause.body.iter().any(always_leaves_suite))
        }
        Stmt::While(node) => is_always_true(&node.test) && !has_break(&node.body),
        _ => false,
    }
}

/// True when a `break` in the suite ends the loop that the suite belongs to.
fn has_break(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break(_) => true,
        Stmt::For(node) => has_break(&node.orelse),
        Stmt::While(node) => has_break(&node.orelse),
        _ if is_definition(stmt) => false,
        _ => inner_suites(stmt).into_iter().any(has_break),
    })
}

/// A `yield` that is never reached still makes its function a generator.
fn makes_a_generator(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(node) => matches!(node.value.as_ref(), Expr::Yield(_) | Expr::YieldFrom(_)),
        _ if is_definition(stmt) => false,
        _ => inner_suites(stmt).into_iter().flatten().any(makes_a_generator),
    }
}

fn name(stmt: &Stmt) -> &'static str {
    match stmt {
        Stmt::Return(_) => "`return`",
        Stmt::Raise(_) => "`raise`",
        Stmt::Continue(_) => "`continue`",
        Stmt::Break(_) => "`break`",
        Stmt::While(_) => "an endless loop",
        _ => "an `if` that always leaves",
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("def f():\n    return 1\n    g()\n    h()\n", &[3])]
    #[case("for x in y:\n    continue\n    g()\n", &[3])]
    #[case("def f():\n    if a:\n        return\n    elif b:\n        raise E\n    else:\n        return\n    g()\n", &[8])]
    #[case("def f():\n    if a:\n        return\n    g()\n", &[])]
    #[case("def f():\n    if a:\n        return\n    elif b:\n        return\n    g()\n", &[])]
    #[case("def f():\n    while True:\n        g()\n    h()\n", &[4])]
    #[case("def f():\n    while True:\n        for x in y:\n            break\n    h()\n", &[5])]
    #[case("def f():\n    while True:\n        if x:\n            break\n    h()\n", &[])]
    #[case("def f():\n    while True:\n        for x in y: pass\n        else: break\n    h()\n", &[])]
    #[case("def f():\n    raise E\n    yield\n", &[])]
    #[case("def f():\n    try:\n        return 1\n    finally:\n        g()\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_unreachable_code, text), expected);
    }
}
