//! Definitions and mentions of a Python file.

use std::collections::BTreeMap;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Decorator, Expr, ExprCall, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged as _, TextRange};

use super::outline::{DefinitionKind, Outline, OutlineDefinition};
use crate::parse;
use crate::test_functions::last_name;
use tapps_base::source::Source;

/// Decorators that do not hand the function to anybody.
const PLAIN: [&str; 8] =
    ["staticmethod", "classmethod", "property", "cached_property", "lru_cache", "cache", "contextmanager", "wraps"];

/// Beginnings of methods that libraries call by name.
const CALLED_BY_NAME: [&str; 6] = ["visit_", "do_", "on_", "test", "handle_", "leave_"];

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_python_outline(source: &Source) -> Option<Outline> {
    let text = source.text()?;
    let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    parse::read_python(text, |parsed| {
        let mut read = PythonOutlineReader {
            source,
            skipped,
            outline: Outline::default(),
            class: None,
            functions: 0,
            made: BTreeMap::new(),
        };
        read.visit_body(parsed.suite());
        read.outline
    })
}

struct EnclosingClass {
    name: String,
    /// Methods may be what a base class calls.
    inherits: bool,
}

struct PythonOutlineReader<'s> {
    source: &'s Source,
    skipped: usize,
    outline: Outline,
    class: Option<EnclosingClass>,
    functions: u32,
    /// Variables that hold an object of what was called, as far as the text has been read; functions are not told apart.
    made: BTreeMap<String, String>,
}

impl PythonOutlineReader<'_> {
    fn line(&self, at: usize) -> u32 {
        self.source.position(at + self.skipped).0
    }

    /// Visits the inside of a definition, then records it with the mentions of its own name.
    fn record_definition(
        &mut self,
        name: &str,
        range: TextRange,
        kind: DefinitionKind,
        kept: bool,
        visit: impl FnOnce(&mut Self),
    ) {
        let before = self.outline.count(name);
        visit(self);
        let own_uses = self.outline.count(name) - before;
        let (line, end_line) = (self.line(range.start().to_usize()), self.line(range.end().to_usize()));
        let whole = self.class.as_ref().map_or_else(|| name.to_owned(), |class| format!("{}.{name}", class.name));
        let dunder = name.starts_with("__") && name.ends_with("__");
        self.outline.definitions.push(OutlineDefinition {
            name: whole,
            kind,
            line,
            end_line,
            own_uses,
            private: name.starts_with('_'),
            exported: false,
            kept: kept || dunder || name == "_" || self.functions > 0,
        });
    }

    /// Notes which objects are handed to what is called.
    fn note_passed_objects(&mut self, call: &ExprCall) {
        let Some(callee) = last_name(&call.func) else { return };
        let keywords = call.arguments.keywords.iter().map(|keyword| &keyword.value);
        for argument in call.arguments.args.iter().chain(keywords) {
            let class = match argument {
                Expr::Name(name) => self.made.get(name.id.as_str()).cloned(),
                other => called_name(other).map(str::to_owned),
            };
            self.outline.passed.extend(class.map(|class| (class, callee.to_owned())));
        }
    }

    fn function(&mut self, def: &StmtFunctionDef, stmt: &Stmt) {
        let method = self.class.as_ref().is_some_and(|_| self.functions == 0);
        let by_name = method && CALLED_BY_NAME.iter().any(|start| def.name.starts_with(start));
        let inherits = self.class.as_ref().is_some_and(|class| class.inherits);
        let kept = is_registered(&def.decorator_list) || by_name || inherits || def.name.as_str() == "main";
        let kind = if method { DefinitionKind::Method } else { DefinitionKind::Function };
        let range = TextRange::new(def.name.range().start(), def.range().end());
        self.record_definition(&def.name, range, kind, kept, |read| {
            let class = read.class.take();
            read.functions += 1;
            visitor::walk_stmt(read, stmt);
            read.functions -= 1;
            read.class = class;
        });
    }

    fn class(&mut self, def: &StmtClassDef, stmt: &Stmt) {
        let inherits = def.arguments.as_ref().is_some_and(|arguments| {
            arguments.args.iter().any(|base| base.as_name_expr().is_none_or(|name| name.id.as_str() != "object"))
                || !arguments.keywords.is_empty()
        });
        let nested = self.class.is_some();
        let kept = is_registered(&def.decorator_list) || nested;
        let range = TextRange::new(def.name.range().start(), def.range().end());
        let name = def.name.to_string();
        self.record_definition(&name.clone(), range, DefinitionKind::Class, kept, |read| {
            // What a decorated class holds may be what the decorator looks for.
            let class = EnclosingClass { name, inherits: inherits || kept };
            let outer = read.class.replace(class);
            visitor::walk_stmt(read, stmt);
            read.class = outer;
        });
    }
}

/// What a call names: `f` of `f()` and of `a.f()`.
fn called_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Call(call) => last_name(&call.func),
        _ => None,
    }
}

fn is_registered(decorators: &[Decorator]) -> bool {
    !decorators.iter().all(|decorator| {
        let target = match &decorator.expression {
            Expr::Call(call) => &call.func,
            other => other,
        };
        let name = match target {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            _ => "",
        };
        PLAIN.contains(&name)
    })
}

impl<'a> Visitor<'a> for PythonOutlineReader<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::Assign(assign) = stmt
            && let ([Expr::Name(name)], Some(class)) = (assign.targets.as_slice(), called_name(&assign.value))
        {
            self.made.insert(name.id.to_string(), class.to_owned());
        }
        match stmt {
            Stmt::FunctionDef(def) => self.function(def, stmt),
            Stmt::ClassDef(def) => self.class(def, stmt),
            Stmt::Import(import) => import.names.iter().for_each(|alias| {
                alias.name.split('.').for_each(|part| self.outline.mention(part));
            }),
            Stmt::ImportFrom(import) => import.names.iter().for_each(|alias| self.outline.mention(&alias.name)),
            Stmt::Assign(assign) if self.class.is_none() && self.functions == 0 => {
                if let [Expr::Name(name)] = assign.targets.as_slice() {
                    // Constants are often settings that something reads by name, so only private ones are told.
                    let kept = !name.id.starts_with('_');
                    self.record_definition(&name.id, stmt.range(), DefinitionKind::Variable, kept, |read| {
                        read.visit_expr(&assign.value)
                    });
                } else {
                    visitor::walk_stmt(self, stmt);
                }
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => self.outline.mention(&name.id),
            Expr::Attribute(attribute) => self.outline.mention(&attribute.attr),
            Expr::Call(call) => {
                self.note_passed_objects(call);
                for keyword in &call.arguments.keywords {
                    keyword.arg.iter().for_each(|name| self.outline.mention(name));
                }
            }
            Expr::StringLiteral(literal) => {
                let text = literal.value.to_str();
                // Names in texts: `__all__`, `getattr`, forward references, dotted paths of settings.
                if text.len() <= 200 && !text.contains(char::is_whitespace) {
                    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                    words.filter(|word| !word.is_empty()).for_each(|word| self.outline.mention(word));
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}
