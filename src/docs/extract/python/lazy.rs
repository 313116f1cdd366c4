//! Names that a module has only when they are asked for: what its `__getattr__` hands on.

use std::collections::BTreeMap;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Stmt, StmtFunctionDef};

use super::module::{Bound, BoundImport, DocumentedModule};
use super::read::PythonModuleReader;
use tapps_syntax::python::names::dotted_name;

/// A table of a module that says where names are to be fetched from when they are first asked for.
pub(super) type LazyImportTable = BTreeMap<String, BoundImport>;

/// What the body of a module's `__getattr__` does with the name it is asked for.
struct Lazy<'a> {
    parameter: &'a str,
    /// What is imported within the function itself.
    imports: Vec<&'a Stmt>,
    /// Things whose attribute of that name is taken.
    owners: Vec<&'a Expr>,
    /// Things that are asked for an entry of that name.
    tables: Vec<&'a str>,
}

impl<'a> Lazy<'a> {
    fn is_parameter(&self, expr: Option<&Expr>) -> bool {
        matches!(expr, Some(Expr::Name(name)) if name.id.as_str() == self.parameter)
    }

    fn record_getattr_call(&mut self, call: &'a ExprCall) {
        let arguments = &call.arguments.args;
        match &*call.func {
            Expr::Name(function) if function.id.as_str() == "getattr" && self.is_parameter(arguments.get(1)) => {
                self.owners.extend(arguments.first());
            }
            Expr::Attribute(method) if method.attr.as_str() == "get" && self.is_parameter(arguments.first()) => {
                self.tables.extend(method.value.as_name_expr().map(|table| table.id.as_str()));
            }
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for Lazy<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(_) | Stmt::ImportFrom(_) => self.imports.push(stmt),
            // What is said about a name on the way to refusing it tells nothing of where it comes from.
            Stmt::Raise(_) => return,
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => self.record_getattr_call(call),
            Expr::Subscript(entry) if self.is_parameter(Some(&entry.slice)) => {
                self.tables.extend(entry.value.as_name_expr().map(|table| table.id.as_str()));
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

impl PythonModuleReader<'_> {
    /// Takes note of what a `__getattr__` of the module hands on.
    pub(super) fn read_module_getattr(&self, def: &StmtFunctionDef, module: &mut DocumentedModule) {
        module.open = true;
        let Some(parameter) = def.parameters.iter().next().map(|parameter| parameter.name().as_str()) else { return };
        let mut lazy = Lazy { parameter, imports: Vec::new(), owners: Vec::new(), tables: Vec::new() };
        lazy.visit_body(&def.body);
        let mut local = BTreeMap::new();
        for import in &lazy.imports {
            self.imported_module_names(import, &mut local);
        }
        for owner in lazy.owners {
            let Some(called) = dotted_name(owner) else { continue };
            let from = local.get(&called).cloned().or_else(|| self.lists.absolute(&called));
            if let Some(from) = from.filter(|from| !module.forwards.contains(from)) {
                module.forwards.push(from);
            }
        }
        for table in lazy.tables {
            for (name, import) in self.tables.get(table).cloned().unwrap_or_default() {
                match module.names.get_mut(&name) {
                    None => module.bind(&name, Bound::Import(import)),
                    // The import that type checkers see tells more exactly where it is.
                    Some(Bound::Import(known)) => (known.typing, known.explicit) = (false, true),
                    Some(Bound::Here(_)) => {}
                }
            }
        }
    }

    /// The modules that an import statement may bind, by the names it binds.
    fn imported_module_names(&self, stmt: &Stmt, into: &mut BTreeMap<String, String>) {
        match stmt {
            Stmt::Import(import) => {
                into.extend(import.names.iter().map(|alias| {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name);
                    (bound.to_string(), alias.name.to_string())
                }));
            }
            Stmt::ImportFrom(import) => {
                let Some(from) = self.absolute(import.level, import.module.as_deref()) else { return };
                into.extend(import.names.iter().map(|alias| {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name);
                    (bound.to_string(), format!("{from}.{}", alias.name))
                }));
            }
            _ => {}
        }
    }

    /// A dictionary that names a module, or a module and a name in it, for every key.
    pub(super) fn lazy_import_table(&self, value: &Expr) -> Option<LazyImportTable> {
        let Expr::Dict(dict) = value else { return None };
        let entry = |item: &ruff_python_ast::DictItem| {
            let name = item.key.as_ref()?.as_string_literal_expr()?.value.to_str();
            let import = match &item.value {
                Expr::Tuple(tuple) => self.lazy_import_of(&tuple.elts, name),
                Expr::List(list) => self.lazy_import_of(&list.elts, name),
                one => self.lazy_import_of(std::slice::from_ref(one), name),
            };
            Some((name.to_owned(), import?))
        };
        dict.items.iter().map(entry).collect()
    }

    /// Where a name is to be fetched from: `"module"`, `"module:name"`, `("module", "name")`, `(package, "module")`.
    fn lazy_import_of(&self, said: &[Expr], name: &str) -> Option<BoundImport> {
        let texts: Vec<&str> =
            said.iter().filter_map(|one| Some(one.as_string_literal_expr()?.value.to_str())).collect();
        let (module, own) = match texts[..] {
            [one] => one.split_once(':').unwrap_or((one, name)),
            [module, own] => (module, own),
            _ => return None,
        };
        let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let below = module.trim_start_matches('.');
        if !below.split('.').all(word) || !word(own) {
            return None;
        }
        let dots = u32::try_from(module.len() - below.len()).ok()?;
        let root = |path: &str| path.split('.').next().map(str::to_owned);
        // A bare name is that of a neighbour unless it begins as this distribution does.
        let level = if dots == 0 && root(below) != root(self.name) { 1 } else { dots };
        let module = self.absolute(level, Some(below))?;
        Some(BoundImport { module, name: Some(own.to_owned()), explicit: true, typing: false })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{paths, symbols_of_files};
    use crate::symbol::SymbolKind;

    #[test]
    fn a_module_that_hands_everything_on_offers_what_the_other_lists() {
        let found = symbols_of_files(&[
            ("demo/__init__.py", ""),
            ("demo/_new.py", "__all__ = ['run', 'made']\ndef run(speed): 'Runs.'\ndef hidden(): pass\n"),
            (
                "demo/old.py",
                "def __getattr__(name):\n    from demo import _new\n    found = getattr(_new, name, None)\n    return found\n",
            ),
            ("demo/plain.py", "from demo import _new\ndef __getattr__(name):\n    raise AttributeError(name)\n"),
        ]);
        assert_eq!(paths(&found), ["demo.old.made", "demo.old.run"]);
        let run = found.iter().find(|symbol| symbol.path == "demo.old.run").unwrap();
        assert_eq!((&*run.signature, &*run.doc, &*run.file), ("run(speed)", "Runs.", "demo/_new.py"));
    }

    #[test]
    fn tables_of_names_to_fetch_lead_to_the_things_themselves() {
        let lazy = "TABLE = {'A': '.a', 'B': ('a', 'Bee'), 'C': 'demo.a:Cee', 'D': (__package__, '.a'), 'E': '.none'}\n\
                    GONE = {'F': 'F was removed'}\n\
                    def __getattr__(name):\n    if name in GONE:\n        raise AttributeError(GONE[name])\n    \
                    module = import_module(TABLE[name], __name__)\n    return getattr(module, name)\n";
        let found = symbols_of_files(&[
            ("demo/__init__.py", lazy),
            ("demo/a.py", "__all__ = []\nclass A: pass\nclass Bee: pass\nclass Cee: pass\nclass D: pass\n"),
        ]);
        let classes: Vec<(&str, &str)> = found
            .iter()
            .filter(|symbol| symbol.kind == SymbolKind::Class)
            .map(|symbol| (&*symbol.path, &*symbol.signature))
            .collect();
        assert_eq!(
            classes,
            [("demo.A", "class A"), ("demo.B", "class Bee"), ("demo.C", "class Cee"), ("demo.D", "class D")]
        );
        assert!(!paths(&found).contains(&"demo.E") && !paths(&found).contains(&"demo.F"), "{:?}", paths(&found));
        // A list made of the table's keys names even what cannot be followed.
        let listed = symbols_of_files(&[("demo/__init__.py", &format!("{lazy}__all__ = sorted(TABLE)\n"))]);
        assert_eq!(paths(&listed), ["demo.A", "demo.B", "demo.C", "demo.D", "demo.E"]);
    }
}
