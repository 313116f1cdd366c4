//! What a file has imported so far, and the names that calls get by it.
//!
//! bandit keeps one table for a whole file: an import inside a function counts for everything behind it.

use std::collections::{BTreeSet, HashMap};

use ruff_python_ast::{Expr, StmtImport, StmtImportFrom};

#[derive(Debug, Default)]
pub(super) struct Imports {
    names: BTreeSet<String>,
    aliases: HashMap<String, String>,
    /// Bytes of the longest alias: no longer name can be one.
    longest_alias: usize,
}

impl Imports {
    pub(super) fn add_import(&mut self, import: &StmtImport) {
        for alias in &import.names {
            if let Some(short) = &alias.asname {
                self.add_alias(short, alias.name.to_string());
            }
            self.names.insert(alias.name.to_string());
        }
    }

    /// `from . import x` is taken for `import x`, and the dots of `from .a import x` are not looked at.
    pub(super) fn add_import_from(&mut self, import: &StmtImportFrom) {
        for alias in &import.names {
            let full = match &import.module {
                Some(module) => format!("{module}.{}", alias.name),
                None => alias.name.to_string(),
            };
            match (&alias.asname, &import.module) {
                (Some(short), _) => self.add_alias(short, full.clone()),
                (None, Some(_)) => self.add_alias(&alias.name, full.clone()),
                (None, None) => {}
            }
            self.names.insert(full);
        }
    }

    fn add_alias(&mut self, short: &str, full: String) {
        self.longest_alias = self.longest_alias.max(short.len());
        self.aliases.insert(short.to_owned(), full);
    }

    /// Whether exactly this was imported.
    pub(super) fn has_exactly(&self, module: &str) -> bool {
        self.names.contains(module)
    }

    /// Whether the name of anything imported contains this.
    pub(super) fn has_like(&self, part: &str) -> bool {
        self.names.iter().any(|name| name.contains(part))
    }

    /// The name by which a call is known: as it is written, but for what was imported under another name; empty when what
    /// is called has no name.
    pub(super) fn name_of_called(&self, called: &Expr) -> String {
        let mut attributes = Vec::new();
        let mut inner = called;
        while let Expr::Attribute(attribute) = inner {
            attributes.push(attribute.attr.as_str());
            inner = &attribute.value;
        }
        let mut name = match inner {
            Expr::Name(name) => self.resolve_alias(name.id.to_string()),
            _ => String::new(),
        };
        for attribute in attributes.into_iter().rev() {
            name.push('.');
            name.push_str(attribute);
            name = self.resolve_alias(name);
        }
        name
    }

    fn resolve_alias(&self, name: String) -> String {
        if name.len() > self.longest_alias {
            return name;
        }
        self.aliases.get(&name).cloned().unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruff_python_ast::Stmt;
    use ruff_python_parser::parse_module;

    /// The names of all calls that stand as statements, in order.
    fn called_names(text: &str) -> Vec<String> {
        let parsed = parse_module(text).unwrap();
        let mut imports = Imports::default();
        let mut names = Vec::new();
        for stmt in parsed.suite() {
            match stmt {
                Stmt::Import(import) => imports.add_import(import),
                Stmt::ImportFrom(import) => imports.add_import_from(import),
                Stmt::Expr(stmt) => names.extend(stmt.value.as_call_expr().map(|c| imports.name_of_called(&c.func))),
                _ => {}
            }
        }
        names
    }

    #[test]
    fn calls_are_named_by_what_was_imported() {
        let text = "import os.path as p, sys\nfrom a.b import c as d, e\nfrom . import f as g, h\nfrom .i import j\n\
                    p.join()\nsys.exit()\nd()\ne.x.y()\ng()\nh()\nj()\nk().l()\n(1)()\n";
        let expected = ["os.path.join", "sys.exit", "a.b.c", "a.b.e.x.y", "f", "h", "i.j", ".l", ""];
        assert_eq!(called_names(text), expected);
    }
}
