//! Names that come about while a module runs: what loops put into `globals()` and into `__all__`.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Stmt, StmtFor, StmtFunctionDef};

use super::module::{All, Bound, DocumentedModule, PythonItem};
use super::read::{PythonModuleReader, is_dunder_all};
use crate::symbol::SymbolKind;
use tapps_syntax::python::names::dotted_name;

/// What a function does with the `__all__` of the module that it is handed, and with that of its own.
struct Spreading<'a> {
    parameter: &'a str,
    reads: bool,
    adds: bool,
}

impl<'a> Visitor<'a> for Spreading<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::AugAssign(assign) = stmt {
            self.adds |= is_dunder_all(&assign.target);
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Attribute(attribute) = expr {
            let of_parameter = matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == self.parameter);
            self.reads |= of_parameter && attribute.attr.as_str() == "__all__";
            self.adds |= is_dunder_all(&attribute.value) && matches!(attribute.attr.as_str(), "append" | "extend");
        }
        visitor::walk_expr(self, expr);
    }
}

/// Whether a function adds the names that the module it is handed lists to those that its own module lists.
pub(super) fn spreads_module_names(def: &StmtFunctionDef) -> bool {
    let Some(parameter) = def.parameters.iter().next().map(|parameter| parameter.name().as_str()) else { return false };
    let mut spreading = Spreading { parameter, reads: false, adds: false };
    spreading.visit_body(&def.body);
    spreading.reads && spreading.adds
}

impl PythonModuleReader<'_> {
    /// `take_over(module)`, where that function adds to `__all__` what the module lists.
    pub(super) fn call_that_spreads(&mut self, call: &ExprCall, module: &mut DocumentedModule) {
        let Expr::Name(function) = &*call.func else { return };
        if !self.spreaders.contains(function.id.as_str()) {
            return;
        }
        let called = call.arguments.args.first().and_then(dotted_name);
        let from = called.and_then(|called| self.lists.absolute(&called));
        if let (Some(from), Some(all)) = (from, &mut module.all) {
            all.push(All::Of(from));
        }
    }

    /// `for name in (…): globals()[name] = …`, and the same with `__all__.append(name)`.
    pub(super) fn loop_over_names(&mut self, each: &StmtFor, module: &mut DocumentedModule) {
        let (variable, over) = match (&*each.target, &*each.iter) {
            // for name, value in table.items()
            (Expr::Tuple(pair), Expr::Call(call)) => match (pair.elts.first(), &*call.func) {
                (Some(first), Expr::Attribute(method)) if method.attr.as_str() == "items" => (first, &*method.value),
                _ => return,
            },
            (one, iter) => (one, iter),
        };
        let Some(variable) = variable.as_name_expr() else { return };
        let Some(steps) = self.lists.steps(over) else { return };
        let is_variable = |expr: &Expr| matches!(expr, Expr::Name(name) if name.id == variable.id);
        for stmt in &each.body {
            match stmt {
                Stmt::Assign(assign) => {
                    let mut keys = assign.targets.iter().filter_map(key_of_globals);
                    if keys.any(is_variable) {
                        self.bind_all(&steps, self.line_of(stmt), module);
                    }
                }
                Stmt::Expr(expr) => {
                    if let Expr::Call(call) = &*expr.value
                        && let Expr::Attribute(method) = &*call.func
                        && method.attr.as_str() == "append"
                        && is_dunder_all(&method.value)
                        && call.arguments.args.first().is_some_and(is_variable)
                        && let Some(all) = &mut module.all
                    {
                        all.extend(steps.iter().cloned());
                    }
                }
                _ => {}
            }
        }
    }

    /// `globals()["name"] = …`.
    pub(super) fn bound_in_globals(&self, target: &Expr, module: &mut DocumentedModule) {
        if let Some(name) = key_of_globals(target).and_then(Expr::as_string_literal_expr) {
            self.bind_all(&[All::Names(vec![name.value.to_str().to_owned()])], self.line_of(target), module);
        }
    }

    fn bind_all(&self, steps: &[All], line: u32, module: &mut DocumentedModule) {
        for step in steps {
            match step {
                All::Names(names) => {
                    for name in names {
                        module.bind(name, Bound::Here(PythonItem::new(SymbolKind::Variable, name.clone(), line)));
                    }
                }
                All::Of(other) => module.stars.push(other.clone()),
                All::Without(_) => {}
            }
        }
    }
}

/// What stands in the brackets of `globals()[…]`.
fn key_of_globals(target: &Expr) -> Option<&Expr> {
    let Expr::Subscript(entry) = target else { return None };
    let Expr::Call(call) = &*entry.value else { return None };
    let plain = matches!(&*call.func, Expr::Name(name) if matches!(name.id.as_str(), "globals" | "vars" | "locals"));
    (plain && call.arguments.is_empty()).then_some(&*entry.slice)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{paths, symbols_of_files};

    #[test]
    fn loops_over_literals_put_names_into_the_module() {
        let found = symbols_of_files(&[(
            "demo.py",
            "__all__ = ['first']\nNAMES = ('one', 'two')\n\
             for name in NAMES:\n    globals()[name] = make(name)\n    __all__.append(name)\n\
             for name, value in {'three': 3}.items():\n    globals()[name] = value\n\
             globals()['first'] = 1\n\
             for name in somewhere():\n    globals()[name] = 0\n",
        )]);
        assert_eq!(paths(&found), ["demo.first", "demo.one", "demo.two"]);
        let open = symbols_of_files(&[(
            "demo.py",
            "for name in ['one', '_two']:\n    vars()[name] = 0\nglobals()['three'] = 1\n",
        )]);
        assert_eq!(paths(&open), ["demo.one", "demo.three"]);
    }

    #[test]
    fn a_function_that_takes_over_what_modules_list_is_followed() {
        let found = symbols_of_files(&[
            ("demo/_a.py", "__all__ = ['one']\ndef one(): pass\n"),
            ("demo/_b.py", "__all__ = ['two']\ndef two(): pass\ndef more(): pass\n"),
            (
                "demo/__init__.py",
                "from . import _a, _b\nfrom ._a import *\nfrom ._b import *\n__all__ = []\n\
                 def take(module):\n    for name in module.__all__:\n        if name not in __all__:\n            \
                 __all__.append(name)\ndef look(module):\n    return module.__all__\ntake(_a)\nlook(_b)\n",
            ),
        ]);
        assert_eq!(paths(&found), ["demo.one"]);
    }
}
