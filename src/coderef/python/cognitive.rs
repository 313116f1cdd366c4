//! Cognitive complexity of a Python function after SonarSource's white paper.
//!
//! Breaks of the linear flow add 1, and 1 more for each level they are nested in; `else`, `elif`, each run of equal
//! Boolean operators and a call of the function itself add 1 alone. Functions inside are elements of their own.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ElifElseClause, ExceptHandler, Expr, Stmt, StmtFunctionDef, StmtIf};

#[must_use]
pub(super) fn cognitive_complexity(def: &StmtFunctionDef) -> u32 {
    let mut count = CognitiveComplexityVisitor { name: def.name.as_str(), total: 0, nesting: 0 };
    count.visit_body(&def.body);
    count.total
}

struct CognitiveComplexityVisitor<'a> {
    name: &'a str,
    total: u32,
    nesting: u32,
}

impl<'a> CognitiveComplexityVisitor<'a> {
    fn nested(&mut self, work: impl FnOnce(&mut Self)) {
        self.nesting += 1;
        work(self);
        self.nesting -= 1;
    }

    fn count_flow_break(&mut self) {
        self.total += 1 + self.nesting;
    }

    fn branches(&mut self, node: &'a StmtIf) {
        self.count_flow_break();
        self.visit_expr(&node.test);
        self.nested(|count| count.visit_body(&node.body));
        for clause in &node.elif_else_clauses {
            self.clause(clause);
        }
    }

    fn clause(&mut self, clause: &'a ElifElseClause) {
        self.total += 1;
        if let Some(test) = &clause.test {
            self.visit_expr(test);
        }
        self.nested(|count| count.visit_body(&clause.body));
    }

    fn otherwise(&mut self, body: &'a [Stmt]) {
        if !body.is_empty() {
            self.total += 1;
            self.nested(|count| count.visit_body(body));
        }
    }
}

impl<'a> Visitor<'a> for CognitiveComplexityVisitor<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::If(node) => self.branches(node),
            Stmt::For(node) => {
                self.count_flow_break();
                self.visit_expr(&node.iter);
                self.nested(|count| count.visit_body(&node.body));
                self.otherwise(&node.orelse);
            }
            Stmt::While(node) => {
                self.count_flow_break();
                self.visit_expr(&node.test);
                self.nested(|count| count.visit_body(&node.body));
                self.otherwise(&node.orelse);
            }
            Stmt::Try(node) => {
                self.visit_body(&node.body);
                for ExceptHandler::ExceptHandler(handler) in &node.handlers {
                    self.count_flow_break();
                    self.nested(|count| count.visit_body(&handler.body));
                }
                self.otherwise(&node.orelse);
                self.visit_body(&node.finalbody);
            }
            Stmt::Match(node) => {
                self.count_flow_break();
                self.visit_expr(&node.subject);
                for case in &node.cases {
                    self.nested(|count| {
                        if let Some(guard) = &case.guard {
                            count.visit_expr(guard);
                        }
                        count.visit_body(&case.body);
                    });
                }
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::If(node) => {
                self.count_flow_break();
                self.visit_expr(&node.test);
                self.nested(|count| {
                    count.visit_expr(&node.body);
                    count.visit_expr(&node.orelse);
                });
            }
            Expr::Lambda(_) => self.nested(|count| visitor::walk_expr(count, expr)),
            Expr::BoolOp(_) => {
                self.total += 1;
                visitor::walk_expr(self, expr);
            }
            Expr::Call(node) => {
                self.total += u32::from(matches!(&*node.func, Expr::Name(name) if name.id.as_str() == self.name));
                visitor::walk_expr(self, expr);
            }
            _ => visitor::walk_expr(self, expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("pass", 0)]
    #[case("if a: pass", 1)]
    #[case("if a: pass\n elif b: pass\n else: pass", 3)]
    #[case("if a and b and c: pass", 2)]
    #[case("if a and b or c: pass", 3)]
    #[case("for a in b:\n  if a: continue", 3)]
    #[case("for a in b: pass\n else: pass", 2)]
    #[case("try: pass\n except A:\n  if a: pass", 3)]
    #[case("while a:\n  for b in c:\n   x = d if e else f", 6)]
    #[case("match a:\n  case 1: pass\n  case 2: pass", 1)]
    #[case("return f(a - 1)", 1)]
    #[case("def g():\n  if a: pass", 0)]
    #[case("x = lambda: a if b else c", 2)]
    fn by_the_white_paper(#[case] body: &str, #[case] expected: u32) {
        let text = format!("def f(a):\n {body}\n");
        let parsed = ruff_python_parser::parse_module(&text).unwrap();
        let Some(Stmt::FunctionDef(def)) = parsed.suite().first() else { panic!("no function in {text}") };
        assert_eq!(cognitive_complexity(def), expected, "{text}");
    }
}
