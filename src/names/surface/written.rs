//! Tables of names that a text writes out.

use std::collections::BTreeSet;

use ruff_python_ast::helpers::any_over_expr;
use ruff_python_ast::{Expr, Stmt};
use tapps_syntax::python::names::dotted_name;

/// What makes a table of its arguments, or a longer one.
const TABLES: [&str; 7] = ["dict", "frozenset", "list", "set", "sorted", "tuple", "MappingProxyType"];

/// What lists the names of something else.
const LISTS_NAMES: [&str; 4] = ["dir", "getattr", "getmembers", "vars"];

/// The names that a block binds to tables of names that are written out.
pub(super) fn written_tables(body: &[Stmt]) -> BTreeSet<&str> {
    let mut tables = BTreeSet::new();
    for stmt in body {
        if let Some((name, value)) = single_assignment(stmt)
            && is_written_table(value, &tables)
        {
            tables.insert(name);
        }
    }
    tables
}

/// What a module lists in `__all__`, where it does so once and by writing the names out.
pub(super) fn written_exports(text: &str, body: &[Stmt]) -> Option<BTreeSet<String>> {
    const LIST: &str = "__all__";
    let is_said = |line: &&str| line.split('#').next().is_some_and(|code| code.contains(LIST));
    if text.lines().filter(is_said).count() != 1 {
        return None;
    }
    let (_, value) = body.iter().filter_map(single_assignment).find(|(name, _)| *name == LIST)?;
    let names = match value {
        Expr::List(list) => &list.elts,
        Expr::Tuple(tuple) => &tuple.elts,
        _ => return None,
    };
    names.iter().map(|name| Some(name.as_string_literal_expr()?.value.to_str().to_owned())).collect()
}

/// The name that a statement binds to a value, and nothing else with it.
pub(super) fn single_assignment(stmt: &Stmt) -> Option<(&str, &Expr)> {
    match stmt {
        Stmt::Assign(assign) => match assign.targets.as_slice() {
            [Expr::Name(name)] => Some((name.id.as_str(), &assign.value)),
            _ => None,
        },
        Stmt::AnnAssign(assign) => Some((assign.target.as_name_expr()?.id.as_str(), assign.value.as_deref()?)),
        _ => None,
    }
}

/// Whether an expression makes a table of names that are written out.
pub(super) fn is_written_table(value: &Expr, tables: &BTreeSet<&str>) -> bool {
    let part = |one: &Expr| is_written_table(one, tables);
    match value {
        Expr::Name(name) => tables.contains(name.id.as_str()),
        Expr::Dict(_)
        | Expr::DictComp(_)
        | Expr::List(_)
        | Expr::ListComp(_)
        | Expr::Set(_)
        | Expr::SetComp(_)
        | Expr::Tuple(_) => !lists_names(value),
        Expr::BinOp(both) => part(&both.left) && part(&both.right),
        Expr::Call(call) => {
            let made = dotted_name(&call.func);
            let made = made.as_deref().and_then(|name| name.rsplit('.').next());
            made.is_some_and(|name| TABLES.contains(&name)) && !lists_names(value)
        }
        _ => false,
    }
}

/// Whether an expression takes the names of something else, which may be of another library.
fn lists_names(expr: &Expr) -> bool {
    any_over_expr(expr, |part| match part {
        Expr::Call(call) => dotted_name(&call.func)
            .is_some_and(|name| LISTS_NAMES.contains(&name.rsplit('.').next().unwrap_or_default())),
        Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "__all__" | "__dict__"),
        _ => false,
    })
}
