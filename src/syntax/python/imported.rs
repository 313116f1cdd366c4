//! What the imports of a module bind, wherever they stand in it.

use std::collections::HashMap;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::TextRange;

use super::names::{dotted_name, import_binding};

/// The imports of one module.
#[derive(Debug, Default)]
pub struct ImportedNames<'a> {
    /// What each bound name stands for, as `module.name`; relative imports keep their dots.
    bound: HashMap<&'a str, String>,
    /// Each module or name that is imported, with the statement that does it.
    all: Vec<(String, TextRange)>,
}

impl<'a> ImportedNames<'a> {
    /// Reads the imports of a body, those in functions too.
    #[must_use]
    pub fn of_module(body: &'a [Stmt]) -> Self {
        let mut read = Self::default();
        read.visit_body(body);
        read
    }

    /// Each module or name that is imported, as `module.name`, with the statement that does it.
    #[must_use]
    pub fn all(&self) -> &[(String, TextRange)] {
        &self.all
    }

    /// True when something of this package is imported, or the package itself.
    #[must_use]
    pub fn has_package(&self, package: &str) -> bool {
        self.all.iter().any(|(name, _)| is_of_package(name, package))
    }

    /// A dotted name with what its first part stands for.
    #[must_use]
    pub fn resolve(&self, expr: &Expr) -> Option<String> {
        let name = dotted_name(expr)?;
        let (first, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
        Some(self.bound.get(first).map_or_else(|| name.clone(), |full| format!("{full}{rest}")))
    }
}

/// True for a package itself and for what stands in it.
#[must_use]
pub fn is_of_package(name: &str, package: &str) -> bool {
    name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl<'a> SourceOrderVisitor<'a> for ImportedNames<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(node) => {
                for alias in &node.names {
                    let (bound, module) = import_binding(alias);
                    self.bound.insert(bound, module.to_owned());
                    self.all.push((alias.name.to_string(), node.range));
                }
            }
            Stmt::ImportFrom(node) => {
                let dots = ".".repeat(usize::try_from(node.level).unwrap_or_default());
                let module = node.module.as_ref().map_or("", |module| module.as_str());
                for alias in &node.names {
                    let full = match module {
                        "" => format!("{dots}{}", alias.name),
                        _ => format!("{dots}{module}.{}", alias.name),
                    };
                    self.bound.insert(alias.asname.as_ref().unwrap_or(&alias.name).as_str(), full.clone());
                    self.all.push((full, node.range));
                }
            }
            _ => source_order::walk_stmt(self, stmt),
        }
    }

    // No import stands in an expression.
    fn visit_expr(&mut self, _: &'a Expr) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::{parse_python, parse_shallow_expression};

    #[test]
    fn names_stand_for_what_was_imported() {
        let text = "import a.b\nimport c.d as e\ndef f():\n    from g.h import i as j, k\n    from . import l\n";
        let resolved = parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            let imports = ImportedNames::of_module(parsed.suite());
            assert!(imports.has_package("g") && imports.has_package("g.h") && !imports.has_package("g.hh"));
            assert_eq!(imports.all().len(), 5);
            let resolve = |text: &str| imports.resolve(parse_shallow_expression(text).unwrap().expr()).unwrap();
            ["a.b.x", "e.x", "j", "k.y", "l.z", "m.n"].map(resolve)
        });
        assert_eq!(resolved.unwrap(), ["a.b.x", "c.d.x", "g.h.i", "g.h.k.y", ".l.z", "m.n"]);
    }
}
