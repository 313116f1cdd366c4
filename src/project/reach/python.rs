//! Imports, top-level names, tests and logic of a Python file.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtIf, StmtImport, StmtImportFrom};

use super::asserts;
use super::module::{ModuleFacts, ModuleImport, Name};
use crate::parse;
use tapps_syntax::python::names::dotted_name;

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_python_module(text: &str, is_test: bool) -> Option<ModuleFacts> {
    parse::read_python(text, |parsed| module_of_suite(parsed.suite(), is_test))
}

fn module_of_suite(suite: &[Stmt], is_test: bool) -> ModuleFacts {
    let mut imports =
        Imports { found: Vec::new(), typed: Vec::new(), functions: 0, chains: is_test.then(BTreeMap::new) };
    imports.visit_body(suite);
    let (mut found, typed) = (imports.found, imports.typed);
    for import in &mut found {
        attach(import, imports.chains.as_ref());
    }
    ModuleFacts {
        imports: found,
        typed,
        defines: defined(suite),
        tests: is_test && asserts::in_python(suite),
        logic: suite.iter().any(has_logic),
        opaque: false,
    }
}

/// Collects imports that run, at any depth, and in test code the attributes asked of dotted names.
struct Imports {
    found: Vec<ModuleImport>,
    typed: Vec<ModuleImport>,
    /// How many functions are around.
    functions: u32,
    chains: Option<BTreeMap<String, BTreeSet<String>>>,
}

impl<'a> Visitor<'a> for Imports {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(import) => {
                let deferred = self.functions > 0;
                self.found.extend(plain_imports(import).map(|import| ModuleImport { deferred, ..import }));
            }
            Stmt::ImportFrom(import) => {
                self.found.push(ModuleImport { deferred: self.functions > 0, ..read_from_import(import) })
            }
            Stmt::FunctionDef(_) => {
                self.functions += 1;
                visitor::walk_stmt(self, stmt);
                self.functions -= 1;
            }
            Stmt::If(branch) if is_type_checking(branch) => {
                for stmt in &branch.body {
                    match stmt {
                        Stmt::Import(import) => self.typed.extend(plain_imports(import)),
                        Stmt::ImportFrom(import) => self.typed.push(read_from_import(import)),
                        _ => {}
                    }
                }
                branch.elif_else_clauses.iter().for_each(|clause| self.visit_body(&clause.body));
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => {
                if let Some(Expr::StringLiteral(literal)) = call.arguments.args.first()
                    && let Some(callee) = dotted_name(&call.func)
                {
                    let found = by_string(&callee, literal.value.to_str());
                    self.found.extend(found.into_iter().map(|import| ModuleImport { deferred: true, ..import }));
                }
            }
            Expr::Attribute(attribute) => {
                if let Some(chains) = &mut self.chains
                    && let Some(prefix) = dotted_name(&attribute.value)
                {
                    chains.entry(prefix).or_default().insert(attribute.attr.to_string());
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// Imports that a call makes by a string: importing functions, and patches, which import what holds their target.
fn by_string(callee: &str, target: &str) -> Vec<ModuleImport> {
    match callee {
        "importlib.import_module" | "import_module" | "__import__" => {
            vec![ModuleImport { module: target.to_owned(), ..ModuleImport::default() }]
        }
        "patch" | "mock.patch" | "mocker.patch" | "unittest.mock.patch" | "monkeypatch.setattr" => {
            // The target is a name in a module, or an attribute of a class in one.
            let owners = std::iter::successors(target.rsplit_once('.'), |(owner, _)| owner.rsplit_once('.'));
            let import = |(module, name): (&str, &str)| ModuleImport {
                module: module.to_owned(),
                names: vec![Name { name: name.to_owned(), ..Name::default() }],
                ..ModuleImport::default()
            };
            owners.take(2).map(import).collect()
        }
        _ => Vec::new(),
    }
}

fn plain_imports(import: &StmtImport) -> impl Iterator<Item = ModuleImport> + '_ {
    import.names.iter().map(|alias| {
        let module = alias.name.to_string();
        let bound = alias.asname.as_ref().map_or_else(|| module.clone(), ToString::to_string);
        // A name of its own with an empty `name` stands for the module itself.
        let names = vec![Name { name: String::new(), bound, attributes: Vec::new() }];
        ModuleImport { module, names, ..ModuleImport::default() }
    })
}

fn read_from_import(import: &StmtImportFrom) -> ModuleImport {
    let name = |alias: &ruff_python_ast::Alias| {
        let name = alias.name.to_string();
        let bound = alias.asname.as_ref().map_or_else(|| name.clone(), ToString::to_string);
        Name { name, bound, attributes: Vec::new() }
    };
    let star = import.names.iter().any(|alias| alias.name.as_str() == "*");
    let names = if star { Vec::new() } else { import.names.iter().map(name).collect() };
    ModuleImport {
        level: import.level,
        module: import.module.as_ref().map_or_else(String::new, ToString::to_string),
        names,
        star,
        deferred: false,
    }
}

/// Adds to each imported name the attributes that are asked of it.
fn attach(import: &mut ModuleImport, chains: Option<&BTreeMap<String, BTreeSet<String>>>) {
    let Some(chains) = chains else { return };
    for name in &mut import.names {
        name.attributes = chains.get(&name.bound).into_iter().flatten().cloned().collect();
    }
}

fn is_type_checking(branch: &StmtIf) -> bool {
    matches!(dotted_name(&branch.test).as_deref(), Some("TYPE_CHECKING" | "typing.TYPE_CHECKING" | "t.TYPE_CHECKING"))
}

fn defined(suite: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut target = |expr: &Expr| {
        if let Expr::Name(name) = expr {
            names.insert(name.id.to_string());
        }
    };
    for stmt in suite {
        match stmt {
            Stmt::Assign(assign) => assign.targets.iter().for_each(&mut target),
            Stmt::AnnAssign(assign) => target(&assign.target),
            _ => {}
        }
    }
    for stmt in suite {
        match stmt {
            Stmt::FunctionDef(def) => drop(names.insert(def.name.to_string())),
            Stmt::ClassDef(def) => drop(names.insert(def.name.to_string())),
            _ => {}
        }
    }
    names
}

/// Whether a statement of a module or class body is more than a declaration, a constant or an import.
fn has_logic(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::FunctionDef(def) => !def.body.iter().all(is_placeholder),
        Stmt::ClassDef(def) => def.body.iter().any(has_logic),
        Stmt::For(_) | Stmt::While(_) | Stmt::With(_) | Stmt::Match(_) | Stmt::Delete(_) | Stmt::Assert(_) => true,
        Stmt::Raise(_) | Stmt::AugAssign(_) => true,
        Stmt::Try(attempt) => {
            let handlers = attempt.handlers.iter().filter_map(|h| h.as_except_handler()).flat_map(|h| &h.body);
            attempt.body.iter().chain(&attempt.orelse).chain(&attempt.finalbody).chain(handlers).any(has_logic)
        }
        Stmt::If(branch) => {
            !is_type_checking(branch)
                && branch.body.iter().chain(branch.elif_else_clauses.iter().flat_map(|arm| &arm.body)).any(has_logic)
        }
        Stmt::Expr(expr) => expr.value.is_call_expr() || expr.value.is_await_expr(),
        Stmt::Assign(assign) => contains_code(&assign.value),
        Stmt::AnnAssign(assign) => assign.value.as_deref().is_some_and(contains_code),
        _ => false,
    }
}

fn contains_code(value: &Expr) -> bool {
    match value {
        Expr::Lambda(_) | Expr::ListComp(_) | Expr::DictComp(_) | Expr::SetComp(_) | Expr::Generator(_) => true,
        Expr::Dict(dict) => dict.items.iter().any(|item| contains_code(&item.value)),
        Expr::List(list) => list.elts.iter().any(contains_code),
        Expr::Tuple(tuple) => tuple.elts.iter().any(contains_code),
        _ => false,
    }
}

/// A docstring, `...`, `pass` or `raise NotImplementedError`: a body that only declares.
fn is_placeholder(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Pass(_) => true,
        Stmt::Expr(expr) => expr.value.is_string_literal_expr() || expr.value.is_ellipsis_literal_expr(),
        Stmt::Raise(raise) => {
            let exception = raise.exc.as_deref().map(|exc| exc.as_call_expr().map_or(exc, |call| &call.func));
            exception.and_then(dotted_name).as_deref() == Some("NotImplementedError")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::docstring("\"\"\"Text.\"\"\"\n", false)]
    #[case::empty("", false)]
    #[case::constants("import re\nX = 1\nY: int = 2\nZ = re.compile('x')\n__all__ = ['X']\n", false)]
    #[case::re_exports("from .a import b\nfrom .c import *\n", false)]
    #[case::optional_import("try:\n    import x\nexcept ImportError:\n    x = None\n", false)]
    #[case::fields("class A:\n    \"\"\"Doc.\"\"\"\n    x: int = 1\n", false)]
    #[case::protocol(
        "class A(P):\n    def f(self) -> int: ...\n    def g(self):\n        raise NotImplementedError\n",
        false
    )]
    #[case::function("def f():\n    return 1\n", true)]
    #[case::method("class A:\n    def f(self):\n        return 1\n", true)]
    #[case::script("print('x')\n", true)]
    #[case::lambda("f = lambda x: x\n", true)]
    #[case::cycle("for x in y:\n    z = x\n", true)]
    fn logic(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(read_python_module(text, false).unwrap().logic, expected);
    }

    #[test]
    fn imports_that_run_are_found_at_any_depth() {
        let text = "import a.b as c, d.e\nfrom ..f import g as h\nfrom i import *\nif TYPE_CHECKING:\n    import no\n\
                    def f():\n    import j\n    importlib.import_module('k.l')\n";
        let module = read_python_module(text, false).unwrap();
        let found: Vec<(u32, &str, bool)> =
            module.imports.iter().map(|i| (i.level, i.module.as_str(), i.star)).collect();
        assert_eq!(
            found,
            [(0, "a.b", false), (0, "d.e", false), (2, "f", false), (0, "i", true), (0, "j", false), (0, "k.l", false)]
        );
        assert_eq!(module.imports[2].names, [Name { name: "g".into(), bound: "h".into(), attributes: vec![] }]);
    }

    #[test]
    fn patches_import_what_holds_their_target() {
        let module = read_python_module("@mock.patch('a.b.C.d')\ndef test_x(m):\n    assert m\n", true).unwrap();
        let found: Vec<(&str, &str)> =
            module.imports.iter().map(|i| (i.module.as_str(), i.names[0].name.as_str())).collect();
        assert_eq!(found, [("a.b.C", "d"), ("a.b", "C")]);
    }

    #[test]
    fn attributes_of_imported_names_are_kept_in_tests() {
        let text = "import pkg\nfrom pkg import sub\nimport a.b\ndef test_x():\n    assert pkg.get(1) == sub.x.y\n    a.b.run()\n";
        let module = read_python_module(text, true).unwrap();
        let attributes: Vec<&[String]> = module.imports.iter().map(|i| i.names[0].attributes.as_slice()).collect();
        assert_eq!(attributes, [&["get".to_owned()][..], &["x".to_owned()], &["run".to_owned()]]);
    }
}
