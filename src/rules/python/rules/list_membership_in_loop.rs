//! Asking a list again and again whether it holds something.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{CmpOp, Expr, ExprContext, Stmt};
use ruff_text_size::Ranged as _;

use super::loops::is_bounded;
use super::suites::{every_scope, inner_suites, is_definition, names_bound_in};
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "list-membership-in-loop",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 600,
    blocking: false,
    summary: "A loop searches a list for every element, so the work grows with the product of their sizes.",
    help: "Keep a set beside the list, or instead of it, and ask the set.",
    explanation: "`in` walks over a list from its beginning. Inside a loop that is one walk for each element, so twice \
        the data takes four times as long. A set answers the same question in constant time; keep one beside the list \
        where the order matters too.",
    examples: &[Example {
        path: "example.py",
        bad: "def unique(names):
    seen = []
    for name in names:
        if name not in seen:
            seen.append(name)
    return seen
",
        good: "def unique(names):
    seen = set()
    for name in names:
        if name not in seen:
            seen.add(name)
    return seen
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_list_membership_in_loop;

/// Reports each list of a function once, at the first search inside a loop that does not also build the list.
fn check_list_membership_in_loop(view: &View, found: &mut Vec<Finding>) {
    every_scope(view.body, &mut |body| {
        let lists: HashMap<&str, u32> = built_lists(body).into_keys().map(|name| (name, 0)).collect();
        if lists.is_empty() {
            return;
        }
        let mut walk = ListMembershipVisitor { view, found, lists, loops: 0 };
        walk.visit_body(body);
    });
}

/// Local names that only ever hold lists which are built from data: not literals of fixed, small size.
fn built_lists(body: &[Stmt]) -> HashMap<&str, bool> {
    let mut found: HashMap<&str, bool> = HashMap::new();
    let mut grown = HashSet::new();
    collect_list_names(body, &mut found, &mut grown);
    let mut times: HashMap<&str, u32> = HashMap::new();
    for name in names_bound_in(body) {
        *times.entry(name).or_default() += 1;
    }
    found.retain(|name, built| times.get(name) == Some(&1) && (*built || grown.contains(name)));
    found
}

/// `found`: names assigned a list, with whether it is built from data; `grown`: names that something is appended to.
fn collect_list_names<'a>(body: &'a [Stmt], found: &mut HashMap<&'a str, bool>, grown: &mut HashSet<&'a str>) {
    for stmt in body.iter().filter(|stmt| !is_definition(stmt)) {
        let assigned = match stmt {
            Stmt::Assign(node) => match node.targets.as_slice() {
                [target] => Some((target, node.value.as_ref())),
                _ => None,
            },
            Stmt::AnnAssign(node) => node.value.as_deref().map(|value| (node.target.as_ref(), value)),
            Stmt::Expr(node) => {
                grown.extend(appended_to(&node.value));
                None
            }
            _ => None,
        };
        if let Some((Expr::Name(name), value)) = assigned
            && let Some(built) = list_built(value)
        {
            found.insert(name.id.as_str(), built);
        }
        inner_suites(stmt).into_iter().for_each(|suite| collect_list_names(suite, found, grown));
    }
}

/// Whether an expression is a list, and if so whether its size depends on data.
fn list_built(value: &Expr) -> Option<bool> {
    match value {
        Expr::List(_) => Some(false),
        // What no set can hold has to be searched for.
        Expr::ListComp(node) if matches!(*node.elt, Expr::List(_) | Expr::Set(_) | Expr::Dict(_)) => None,
        Expr::ListComp(node) => Some(!node.generators.iter().all(|clause| is_bounded(&clause.iter))),
        Expr::Call(call) => match call.func.as_ref() {
            Expr::Name(name) if matches!(name.id.as_str(), "list" | "sorted") => {
                Some(call.arguments.args.first().is_some_and(|data| !is_bounded(data)))
            }
            _ => None,
        },
        _ => None,
    }
}

fn appended_to(expr: &Expr) -> Option<&str> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Attribute(method) = call.func.as_ref() else { return None };
    let Expr::Name(name) = method.value.as_ref() else { return None };
    matches!(method.attr.as_str(), "append" | "extend" | "insert").then_some(name.id.as_str())
}

struct ListMembershipVisitor<'a, 'v> {
    view: &'v View<'a>,
    found: &'v mut Vec<Finding>,
    /// The lists, each with the number of loops around its assignment.
    lists: HashMap<&'a str, u32>,
    /// Loops around the current place.
    loops: u32,
}

impl<'a> ListMembershipVisitor<'a, '_> {
    fn visit_in_loop(&mut self, counts: bool, walk: impl FnOnce(&mut Self)) {
        self.loops += u32::from(counts);
        walk(self);
        self.loops -= u32::from(counts);
    }
}

impl<'a> SourceOrderVisitor<'a> for ListMembershipVisitor<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::For(node) => {
                self.visit_expr(&node.iter);
                self.visit_in_loop(!is_bounded(&node.iter), |walk| walk.visit_body(&node.body));
                self.visit_body(&node.orelse);
            }
            Stmt::While(_) => self.visit_in_loop(true, |walk| source_order::walk_stmt(walk, stmt)),
            _ if is_definition(stmt) => {}
            _ => source_order::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Compare(node) = expr
            && !node.left.is_literal_expr()
            && let ([CmpOp::In | CmpOp::NotIn], [Expr::Name(list)]) = (&*node.ops, &*node.comparators)
            && self.lists.get(list.id.as_str()).is_some_and(|outside| self.loops > *outside)
            && self.lists.remove(list.id.as_str()).is_some()
        {
            let message = format!("the list `{}` is searched in a loop", list.id);
            self.found.push(self.view.finding(&RULE, node.range(), message));
        }
        if let Expr::Name(name) = expr
            && name.ctx == ExprContext::Store
            && let Some(outside) = self.lists.get_mut(name.id.as_str())
        {
            *outside = self.loops;
        }
        let loops = matches!(expr, Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_));
        self.visit_in_loop(loops, |walk| source_order::walk_expr(walk, expr));
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("seen = []\nfor x in xs:\n    if x not in seen:\n        seen.append(x)\n", &[3])]
    #[case("def f(xs, ys):\n    known = [y.id for y in ys]\n    for x in xs:\n        if x in known: g(x)\n", &[4])]
    #[case("known: list = sorted(ys)\nwhile a:\n    a = b in known\n", &[3])]
    #[case("known = ['a', 'b']\nfor x in xs:\n    f(x in known)\n", &[])]
    #[case("known = {y for y in ys}\nfor x in xs:\n    f(x in known)\n", &[])]
    #[case("for x in xs:\n    known = [y for y in x]\n    f(x in known)\n", &[])]
    #[case("for x in xs:\n    known = [y for y in x]\n    z = [y for y in ys if y in known]\n", &[3])]
    #[case("known = [{y} for y in ys]\nfor x in xs:\n    f(x in known)\n", &[])]
    #[case("known = list(ys)\nf(x in known)\n", &[])]
    #[case("known = list(ys)\nknown = set(known)\nfor x in xs:\n    f(x in known)\n", &[])]
    #[case("sizes = list(ys)\nwhile None in sizes:\n    f(sizes)\n", &[])]
    #[case("for x in xs:\n    f(x in y)\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_list_membership_in_loop, text), expected);
    }
}
