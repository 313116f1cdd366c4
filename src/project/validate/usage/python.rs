//! The calls of a Python file.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Operator, Stmt};
use ruff_text_size::Ranged as _;

use super::super::sink::FileLocation;
use super::model::{Argument, FunctionCall, FileCalls};
use crate::parse;
use tapps_base::source::Source;

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_python_calls(source: &Source) -> Option<FileCalls> {
    let text = source.text()?;
    let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    parse::read_python(text, |parsed| {
        let mut read = PythonCallReader { source, skipped, code: FileCalls::default(), loops: 0, managed: false };
        read.visit_body(parsed.suite());
        read.code
    })
}

struct PythonCallReader<'s> {
    source: &'s Source,
    /// Bytes before the text that was parsed.
    skipped: usize,
    code: FileCalls,
    loops: u32,
    managed: bool,
}

impl<'a> Visitor<'a> for PythonCallReader<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::For(_) | Stmt::While(_) => {
                self.loops += 1;
                visitor::walk_stmt(self, stmt);
                self.loops -= 1;
            }
            Stmt::FunctionDef(def) => {
                self.code.names.insert(def.name.to_string());
                let outer = std::mem::take(&mut self.loops);
                visitor::walk_stmt(self, stmt);
                self.loops = outer;
            }
            Stmt::With(with) => {
                for item in &with.items {
                    self.managed = true;
                    self.visit_expr(&item.context_expr);
                    self.managed = false;
                    if let (Some(name), Some(callee)) =
                        (item.optional_vars.as_deref().and_then(dotted), python_callee(&item.context_expr))
                    {
                        self.code.bound.insert(name, callee);
                    }
                }
                self.visit_body(&with.body);
            }
            Stmt::Assign(assign) => {
                if let Some(callee) = python_callee(&assign.value) {
                    for name in assign.targets.iter().filter_map(dotted) {
                        self.code.bound.insert(name, callee.clone());
                    }
                }
                visitor::walk_stmt(self, stmt);
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => drop(self.code.names.insert(name.id.to_string())),
            Expr::Attribute(attribute) => drop(self.code.names.insert(attribute.attr.to_string())),
            Expr::Call(call) => {
                let range = call.range();
                let (line, column) = self.source.position(range.start().to_usize() + self.skipped);
                let (end_line, _) = self.source.position(range.end().to_usize() + self.skipped);
                let named = call.arguments.keywords.iter();
                let named =
                    named.filter_map(|keyword| Some((keyword.arg.as_ref()?.to_string(), argument(&keyword.value))));
                let managed = std::mem::take(&mut self.managed);
                self.code.calls.push(FunctionCall {
                    callee: dotted(&call.func).unwrap_or_default(),
                    arguments: call.arguments.args.iter().map(argument).collect(),
                    named: named.collect(),
                    place: FileLocation { line, column, end_line },
                    in_loop: self.loops > 0,
                    managed,
                });
            }
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.loops += 1;
                visitor::walk_expr(self, expr);
                self.loops -= 1;
                return;
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// The callee of a call, also of one that is awaited.
fn python_callee(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(call) => dotted(&call.func),
        Expr::Await(wait) => python_callee(&wait.value),
        _ => None,
    }
}

/// `a.b.c` as text; calls in between are passed over, as in `a.b().c`.
fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", dotted(&attribute.value)?, attribute.attr)),
        Expr::Call(call) => dotted(&call.func),
        _ => None,
    }
}

fn argument(expr: &Expr) -> Argument {
    match expr {
        Expr::StringLiteral(literal) => Argument::Text(literal.value.to_str().to_owned()),
        Expr::FString(_) => Argument::Built(literals(expr)),
        Expr::BinOp(sum) if matches!(sum.op, Operator::Add | Operator::Mod) => {
            let text = literals(expr);
            if text.is_empty() { Argument::Other } else { Argument::Built(text) }
        }
        Expr::Call(call) => match call.func.as_attribute_expr() {
            Some(method) if method.attr.as_str() == "format" && method.value.is_string_literal_expr() => {
                Argument::Built(literals(&method.value))
            }
            _ => Argument::Other,
        },
        Expr::NumberLiteral(number) => {
            number.value.as_int().and_then(ruff_python_ast::Int::as_i64).map_or(Argument::Other, Argument::Number)
        }
        Expr::BooleanLiteral(literal) => {
            if literal.value {
                Argument::True
            } else {
                Argument::False
            }
        }
        Expr::NoneLiteral(_) => Argument::Nothing,
        _ => Argument::Other,
    }
}

/// The literal parts of an expression that makes a text.
fn literals(expr: &Expr) -> String {
    match expr {
        Expr::StringLiteral(literal) => literal.value.to_str().to_owned(),
        Expr::FString(text) => {
            text.value.elements().filter_map(|element| element.as_literal()).map(|literal| &*literal.value).collect()
        }
        Expr::BinOp(sum) => literals(&sum.left) + &literals(&sum.right),
        _ => String::new(),
    }
}
