//! What the syntax of a Python file shows.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, ExceptHandlerExceptHandler, Expr, PythonVersion, Stmt};
use ruff_text_size::{Ranged as _, TextRange};

use super::syntax::{Fact, FactKind};
use crate::model::FileId;
use tapps_syntax::python::lines::SourceLines;
use tapps_syntax::python::parse::parse_python;

pub(super) fn python_syntax_facts(file: FileId, text: &str) -> Vec<Fact> {
    let text = text.trim_start_matches('\u{feff}');
    parse_python(text, PythonVersion::latest(), |parsed| {
        if !parsed.has_valid_syntax() {
            return Vec::new();
        }
        let mut look = PythonPatternVisitor { file, lines: SourceLines::new(text), loops: 0, facts: Vec::new() };
        look.visit_body(parsed.suite());
        look.facts
    })
    .unwrap_or_default()
}

struct PythonPatternVisitor<'a> {
    file: FileId,
    lines: SourceLines<'a>,
    loops: u32,
    facts: Vec<Fact>,
}

impl PythonPatternVisitor<'_> {
    fn add(&mut self, kind: FactKind, range: TextRange, detail: Option<String>) {
        let (line, end_line) = (self.lines.line(range.start()), self.lines.last_line(range));
        self.facts.push(Fact { file: self.file, kind, line, end_line, detail });
    }

    fn handler(&mut self, handler: &ExceptHandlerExceptHandler) {
        let caught = match handler.type_.as_deref() {
            None => Some("every exception".to_owned()),
            Some(Expr::Name(name)) if ["Exception", "BaseException"].contains(&name.id.as_str()) => {
                Some(name.id.to_string())
            }
            Some(_) => None,
        };
        let raises = handler.body.iter().any(|stmt| matches!(stmt, Stmt::Raise(_)));
        if caught.is_some() && !raises {
            self.add(FactKind::BroadHandler, handler.range, caught);
        }
        let idle = |stmt: &Stmt| match stmt {
            Stmt::Pass(_) | Stmt::Continue(_) => true,
            Stmt::Expr(node) => matches!(&*node.value, Expr::EllipsisLiteral(_) | Expr::StringLiteral(_)),
            _ => false,
        };
        if handler.body.iter().all(idle) {
            self.add(FactKind::SwallowedError, handler.range, None);
        }
    }
}

impl<'a> Visitor<'a> for PythonPatternVisitor<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {
                let outer = std::mem::take(&mut self.loops);
                visitor::walk_stmt(self, stmt);
                self.loops = outer;
            }
            Stmt::For(_) | Stmt::While(_) => {
                self.loops += 1;
                visitor::walk_stmt(self, stmt);
                self.loops -= 1;
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let (Expr::Await(_), true) = (expr, self.loops > 0) {
            self.add(FactKind::AwaitInLoop, expr.range(), None);
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(node) = handler;
        self.handler(node);
        visitor::walk_except_handler(self, handler);
    }
}
