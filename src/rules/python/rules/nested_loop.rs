//! Loops inside loops over data that has nothing to do with the outer element.
//!
//! `for row in matrix: for cell in row` touches every cell once and is fine. What multiplies is an inner loop whose
//! data does not come from the outer loop's element: `for a in items: for b in items`. Loops over literals, constants
//! and short ranges do not count; neither do those over what a call returns, which may depend on anything, nor
//! `while` loops other than `while i < n` that move a counter of their own.

use std::collections::HashSet;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Comprehension, Expr, Stmt, StmtWhile};
use ruff_text_size::{Ranged as _, TextRange};

use super::dependence::derived_in;
use super::loops::{is_bounded, is_opaque};
use super::suites::{is_definition, names_bound, names_bound_in, names_read};
use super::{ModuleRunner, View};
use tapps_base::finding::{Finding, Severity};

pub use crate::common::nested_loop::RULE;

pub(super) const RUN: ModuleRunner = check_nested_loop;

/// What three or more loops cost.
const COST_OF_THREE: u32 = 1500;

/// Reports each outermost loop nest once, at the loop that makes it deepest.
fn check_nested_loop(view: &View, found: &mut Vec<Finding>) {
    let mut walk = NestedLoopVisitor { view, found, levels: Vec::new(), worst: None };
    walk.visit_body(view.body);
}

/// One loop around the current place.
struct LoopLevel<'a> {
    /// Whether its size multiplies the work.
    multiplies: bool,
    /// Names that hold its element, or something made from it.
    derived: HashSet<&'a str>,
    /// Names that its body binds.
    bound: HashSet<&'a str>,
}

struct NestedLoopVisitor<'a, 'v> {
    view: &'v View<'a>,
    found: &'v mut Vec<Finding>,
    levels: Vec<LoopLevel<'a>>,
    /// The most loops that multiply in the current nest, and where.
    worst: Option<(usize, TextRange)>,
}

impl<'a> NestedLoopVisitor<'a, '_> {
    fn push(&mut self, level: LoopLevel<'a>, place: TextRange) {
        let multiplies = level.multiplies;
        self.levels.push(level);
        let degree = self.levels.iter().filter(|level| level.multiplies).count();
        if multiplies && degree >= 2 && self.worst.is_none_or(|(worst, _)| degree > worst) {
            self.worst = Some((degree, place));
        }
    }

    fn pop(&mut self, count: usize) {
        self.levels.truncate(self.levels.len().saturating_sub(count));
        if !self.levels.is_empty() {
            return;
        }
        if let Some((degree, place)) = self.worst.take() {
            let message = format!("{degree} nested loops run over independent data");
            let mut finding = self.view.finding(&RULE, TextRange::empty(place.start()), message);
            if degree >= 3 {
                finding.cost = COST_OF_THREE;
                finding.severity = Severity::Medium;
            }
            self.found.push(finding);
        }
    }

    /// True when an iterable neither is small nor comes from the turn of an outer loop.
    fn is_multiplying(&self, iterable: &Expr) -> bool {
        if is_bounded(iterable) || (!self.levels.is_empty() && is_opaque(iterable)) {
            return false;
        }
        let read = names_read(iterable);
        !self
            .levels
            .iter()
            .any(|level| read.iter().any(|name| level.derived.contains(name) || level.bound.contains(name)))
    }

    /// True for a loop that moves a counter of its own up to something that no outer loop's element decides.
    fn is_counting_loop(&self, node: &StmtWhile) -> bool {
        let read = names_read(&node.test);
        let bound = names_bound_in(&node.body);
        node.test.is_compare_expr()
            && !is_opaque(&node.test)
            && read.iter().any(|name| bound.contains(name))
            && !self.levels.iter().any(|level| read.iter().any(|name| level.derived.contains(name)))
    }

    fn comprehension(&mut self, clauses: &'a [Comprehension], results: &[&'a Expr]) {
        for clause in clauses {
            self.visit_expr(&clause.iter);
            let multiplies = self.is_multiplying(&clause.iter);
            let level =
                LoopLevel { multiplies, derived: names_bound(&clause.target).into_iter().collect(), bound: HashSet::new() };
            self.push(level, clause.range());
            clause.ifs.iter().for_each(|condition| self.visit_expr(condition));
        }
        for result in results {
            self.visit_expr(result);
        }
        self.pop(clauses.len());
    }

    /// Walks code that runs on its own, whatever loop defines it.
    fn visit_separately(&mut self, walk: impl FnOnce(&mut Self)) {
        let levels = std::mem::take(&mut self.levels);
        let worst = self.worst.take();
        walk(self);
        self.levels = levels;
        self.worst = worst;
    }
}

impl<'a> SourceOrderVisitor<'a> for NestedLoopVisitor<'a, '_> {
    fn visit_body(&mut self, body: &'a [Stmt]) {
        // A suite that leaves the loops around it runs once, so loops in it multiply nothing.
        if body.last().is_some_and(|last| matches!(last, Stmt::Return(_) | Stmt::Raise(_) | Stmt::Break(_))) {
            self.visit_separately(|walk| source_order::walk_body(walk, body));
        } else {
            source_order::walk_body(self, body);
        }
    }

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::For(node) => {
                self.visit_expr(&node.iter);
                let multiplies = self.is_multiplying(&node.iter);
                let derived = derived_in(&node.body, names_bound(&node.target));
                self.push(
                    LoopLevel { multiplies, derived, bound: names_bound_in(&node.body).into_iter().collect() },
                    node.range,
                );
                self.visit_body(&node.body);
                self.pop(1);
                self.visit_body(&node.orelse);
            }
            Stmt::While(node) => {
                let multiplies = self.is_counting_loop(node);
                let bound: HashSet<&str> = names_bound_in(&node.body).into_iter().collect();
                let moved = names_read(&node.test).into_iter().filter(|name| bound.contains(name)).collect();
                self.push(LoopLevel { multiplies, derived: derived_in(&node.body, moved), bound }, node.range);
                self.visit_expr(&node.test);
                self.visit_body(&node.body);
                self.pop(1);
                self.visit_body(&node.orelse);
            }
            _ if is_definition(stmt) => self.visit_separately(|walk| source_order::walk_stmt(walk, stmt)),
            _ => source_order::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::ListComp(node) => self.comprehension(&node.generators, &[&node.elt]),
            Expr::SetComp(node) => self.comprehension(&node.generators, &[&node.elt]),
            Expr::Generator(node) => self.comprehension(&node.generators, &[&node.elt]),
            Expr::DictComp(node) => {
                let results: Vec<&Expr> = node.key.as_deref().into_iter().chain([node.value.as_ref()]).collect();
                self.comprehension(&node.generators, &results);
            }
            Expr::Lambda(_) => self.visit_separately(|walk| source_order::walk_expr(walk, expr)),
            _ => source_order::walk_expr(self, expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::found;
    use super::*;

    #[rstest::rstest]
    #[case("for a in xs:\n    for b in xs:\n        f(a, b)\n", &[(2, 300)])]
    #[case("for row in m:\n    for cell in row:\n        f(cell)\n", &[])]
    #[case("for row in m:\n    cells = row.cells\n    for cell in cells:\n        f(cell)\n", &[])]
    #[case("for a in xs:\n    for b in (1, 2):\n        f(a, b)\n", &[])]
    #[case("for a in range(3):\n    for b in xs:\n        f(a, b)\n", &[])]
    #[case("for a in xs:\n    for b in ys:\n        for c in zs:\n            f()\n", &[(3, 1500)])]
    #[case("while i < n:\n    j = 0\n    while j < n:\n        k = 0\n        while k < n:\n            k += 1\n        j += 1\n    i += 1\n", &[(5, 1500)])]
    #[case("while True:\n    for b in ys:\n        f()\n", &[])]
    #[case("for a in xs:\n    def g():\n        for b in ys: f()\n", &[])]
    #[case("z = [f(a, b) for a in xs for b in ys]\n", &[(1, 300)])]
    #[case("z = [f(a, b) for a in xs for b in a]\n", &[])]
    #[case("for a in xs:\n    z = any(a == b for b in ys)\n", &[(2, 300)])]
    #[case("for a in xs:\n    for b in self.get():\n        f(a, b)\n", &[])]
    #[case("for a in xs:\n    for b in sorted(ys.items()):\n        f(a, b)\n", &[(2, 300)])]
    #[case("for a in xs:\n    if a:\n        for b in ys: f(b)\n        return\n", &[])]
    #[case("for a in xs:\n    at = a.find(';')\n    while at != end:\n        at += 1\n", &[])]
    #[case("for a in xs:\n    try: f(a)\n    except E as e:\n        z.extend(m for m in e.errors)\n", &[])]
    #[case("for a in xs:\n    j = 0\n    while j < len(ys):\n        j += 1\n", &[(3, 300)])]
    #[case("for a in xs: f()\nfor b in ys: g()\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[(u32, u32)]) {
        let shown: Vec<(u32, u32)> = found(check_nested_loop, text).iter().map(|f| (f.line, f.cost)).collect();
        assert_eq!(shown, expected);
    }
}
