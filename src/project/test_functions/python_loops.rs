//! Loops of tests that go through nothing, so that what they state is never asked.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt};

/// Whether there is nothing to go through: an empty list, or what is made of nothing else.
pub(super) fn is_empty(expr: &Expr, empty: &BTreeSet<String>) -> bool {
    match expr {
        Expr::List(list) => list.elts.is_empty(),
        Expr::Tuple(tuple) => tuple.elts.is_empty(),
        Expr::Dict(dict) => dict.items.is_empty(),
        Expr::Name(name) => empty.contains(name.id.as_str()),
        Expr::Call(call) => {
            let (arguments, keywords) = (&call.arguments.args, &call.arguments.keywords);
            let of_nothing = !arguments.is_empty() && arguments.iter().all(|one| is_empty(one, empty));
            // `names.items()` of an empty one.
            let of_empty = matches!(&*call.func, Expr::Attribute(method) if is_empty(&method.value, empty));
            keywords.is_empty() && (of_nothing || of_empty && arguments.is_empty())
        }
        _ => false,
    }
}

/// Names that a suite binds to an empty collection and does nothing else to.
pub(super) fn empty_names(body: &[Stmt]) -> BTreeSet<String> {
    struct NameUses {
        bound: BTreeMap<String, bool>,
        changed: BTreeSet<String>,
    }
    impl<'a> Visitor<'a> for NameUses {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            if let Stmt::Assign(assign) = stmt
                && let [Expr::Name(name)] = &*assign.targets
            {
                let empty = is_empty(&assign.value, &BTreeSet::new());
                let only = self.bound.entry(name.id.to_string()).or_insert(true);
                *only &= empty;
                return self.visit_expr(&assign.value);
            }
            visitor::walk_stmt(self, stmt);
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Name(name) if !name.ctx.is_load() => drop(self.changed.insert(name.id.to_string())),
                Expr::Attribute(attribute) => {
                    let reads = matches!(attribute.attr.as_str(), "items" | "keys" | "values");
                    if let Expr::Name(name) = &*attribute.value
                        && !reads
                    {
                        self.changed.insert(name.id.to_string());
                    }
                }
                Expr::Subscript(place) if !place.ctx.is_load() => {
                    if let Expr::Name(name) = &*place.value {
                        self.changed.insert(name.id.to_string());
                    }
                }
                _ => {}
            }
            visitor::walk_expr(self, expr);
        }
    }
    let mut uses = NameUses { bound: BTreeMap::new(), changed: BTreeSet::new() };
    uses.visit_body(body);
    let NameUses { bound, changed } = uses;
    bound.into_iter().filter(|(name, empty)| *empty && !changed.contains(name)).map(|(name, _)| name).collect()
}
