//! Walking statements: which suites stand inside a statement, and which scopes a module has.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{ExceptHandler, Expr, ExprContext, Stmt};

/// The suites directly inside a statement; those of definitions too.
pub(super) fn inner_suites(stmt: &Stmt) -> Vec<&[Stmt]> {
    match stmt {
        Stmt::FunctionDef(def) => vec![&def.body],
        Stmt::ClassDef(def) => vec![&def.body],
        Stmt::If(node) => {
            let clauses = node.elif_else_clauses.iter().map(|clause| clause.body.as_slice());
            std::iter::once(node.body.as_slice()).chain(clauses).collect()
        }
        Stmt::For(node) => vec![&node.body, &node.orelse],
        Stmt::While(node) => vec![&node.body, &node.orelse],
        Stmt::With(node) => vec![&node.body],
        Stmt::Match(node) => node.cases.iter().map(|case| case.body.as_slice()).collect(),
        Stmt::Try(node) => {
            let handlers = node.handlers.iter().map(|ExceptHandler::ExceptHandler(handler)| handler.body.as_slice());
            std::iter::once(node.body.as_slice())
                .chain(handlers)
                .chain([node.orelse.as_slice(), node.finalbody.as_slice()])
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Calls `visit` with every statement, outer ones first.
pub(super) fn every_stmt<'a>(body: &'a [Stmt], visit: &mut impl FnMut(&'a Stmt)) {
    for stmt in body {
        visit(stmt);
        for suite in inner_suites(stmt) {
            every_stmt(suite, visit);
        }
    }
}

/// Calls `visit` with every suite, outer ones first.
pub(super) fn every_suite<'a>(body: &'a [Stmt], visit: &mut impl FnMut(&'a [Stmt])) {
    visit(body);
    for stmt in body {
        for suite in inner_suites(stmt) {
            every_suite(suite, visit);
        }
    }
}

/// Calls `visit` with the body of the module and of every function.
pub(super) fn every_scope<'a>(body: &'a [Stmt], visit: &mut impl FnMut(&'a [Stmt])) {
    visit(body);
    every_stmt(body, &mut |stmt| {
        if let Stmt::FunctionDef(def) = stmt {
            visit(&def.body);
        }
    });
}

/// True for a definition, which is a scope of its own.
pub(super) fn is_definition(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_))
}

/// Collects the names that an expression reads.
pub(super) fn names_read(expr: &Expr) -> Vec<&str> {
    let mut walk = NameCollector { read: true, found: Vec::new() };
    walk.visit_expr(expr);
    walk.found
}

/// Collects the names that an expression binds, for example a loop's target.
pub(super) fn names_bound(expr: &Expr) -> Vec<&str> {
    let mut walk = NameCollector { read: false, found: Vec::new() };
    walk.visit_expr(expr);
    walk.found
}

/// Collects the names that a suite binds, not counting those of definitions inside it.
pub(super) fn names_bound_in(body: &[Stmt]) -> Vec<&str> {
    let mut walk = NameCollector { read: false, found: Vec::new() };
    walk.visit_body(body);
    walk.found
}

struct NameCollector<'a> {
    read: bool,
    found: Vec<&'a str>,
}

impl<'a> SourceOrderVisitor<'a> for NameCollector<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if !is_definition(stmt) {
            source_order::walk_stmt(self, stmt);
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(node) = handler;
        if let Some(name) = node.name.as_ref().filter(|_| !self.read) {
            self.found.push(name.as_str());
        }
        source_order::walk_except_handler(self, handler);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && (name.ctx == ExprContext::Load) == self.read
        {
            self.found.push(name.id.as_str());
        }
        source_order::walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_suite() {
        let text = "\
a, (b, *c) = d
for e in f:
    with g as h: i = 1
    try: pass
    except E as j: k[0] = l
    def m(): n = 1
";
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        assert_eq!(names_bound_in(parsed.suite()), ["a", "b", "c", "e", "h", "i", "j"]);
    }

    #[test]
    fn every_suite_is_visited() {
        let text = "\
if a: x
elif b: x
else: x
for a in b: x
else: x
while a: x
else: x
try: x
except A: x
else: x
finally: x
with a: x
match a:
    case 1: x
def f(): x
class C: x
";
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        let mut count = 0;
        every_stmt(parsed.suite(), &mut |stmt| count += u32::from(matches!(stmt, Stmt::Expr(_))));
        assert_eq!(count, 15);
    }
}
