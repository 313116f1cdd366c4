//! Functions that are called with a row of values nobody can tell apart.

use ruff_python_ast::{Expr, Stmt, StmtFunctionDef};

use super::suites::every_stmt;
use super::{ModuleRunner, View};
use crate::python::metrics::complexity::keyword_start;
use tapps_base::finding::Finding;

pub use crate::common::too_many_parameters::RULE;

pub(super) const RUN: ModuleRunner = check_too_many_parameters;

/// Parameters by position that cost nothing.
const LIMIT: usize = 7;

/// Reports functions above the limit. `self`, `cls` and keyword-only parameters do not count, and the signature of a
/// decorated function is the decorator's business.
fn check_too_many_parameters(view: &View, found: &mut Vec<Finding>) {
    if view.is_stub() {
        return;
    }
    every_stmt(view.body, &mut |stmt| {
        let Stmt::FunctionDef(def) = stmt else { return };
        let count = by_position(def);
        if count > LIMIT && def.decorator_list.iter().all(|decorator| keeps_signature(&decorator.expression)) {
            let start = keyword_start(view.lines.text(), def.range, &def.decorator_list);
            let message = format!("`{}` takes {count} parameters by position", def.name);
            found.push(view.finding_at(&RULE, start, message).anchored(def.name.as_str()));
        }
    });
}

fn by_position(def: &StmtFunctionDef) -> usize {
    let parameters = &def.parameters;
    let first = parameters.posonlyargs.iter().chain(&parameters.args).next();
    let bound = first.is_some_and(|first| matches!(first.parameter.name.as_str(), "self" | "cls" | "mcs"));
    parameters.posonlyargs.len() + parameters.args.len() - usize::from(bound)
}

fn keeps_signature(decorator: &Expr) -> bool {
    matches!(decorator, Expr::Name(name) if matches!(name.id.as_str(), "classmethod" | "staticmethod" | "property"))
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("def f(a, b, c, d, e, f, g): pass\n", &[])]
    #[case("def f(a, b, c, /, d, e, f, g, h): pass\n", &[1])]
    #[case("class C:\n    def f(self, a, b, c, d, e, f, g): pass\n", &[])]
    #[case("class C:\n    @classmethod\n    def f(cls, a, b, c, d, e, f, g, h): pass\n", &[3])]
    #[case("def f(a, *, b, c, d, e, f, g, h, i): pass\n", &[])]
    #[case("@app.command()\ndef f(a, b, c, d, e, f, g, h): pass\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_too_many_parameters, text), expected);
    }
}
