//! Whether a function is a generator.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt};

/// True when a body yields; functions inside it do not count.
pub(super) fn yields(body: &[Stmt]) -> bool {
    let mut search = YieldFinder { found: false };
    search.visit_body(body);
    search.found
}

struct YieldFinder {
    found: bool,
}

impl<'a> Visitor<'a> for YieldFinder {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if !self.found && !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            visitor::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Yield(_) | Expr::YieldFrom(_) => self.found = true,
            Expr::Lambda(_) => {}
            _ => visitor::walk_expr(self, expr),
        }
    }
}
