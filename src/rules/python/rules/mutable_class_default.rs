//! A list, dictionary or set at class level that instances change, so that all instances share the change.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, ExprContext, Stmt, StmtClassDef};
use ruff_text_size::TextRange;

use super::suites::every_stmt;
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mutable-class-default",
    aliases: &["ruff:RUF012"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "Methods change a mutable object that stands at class level, so every instance sees the change.",
    help: "Create the object in `__init__`, or annotate it with `ClassVar` when sharing is meant.",
    explanation: "A list, dictionary or set at class level exists once, for all instances. When a method changes it, \
        every other instance sees the change, which is hardly ever meant and shows only when there are two of them. \
        Create it in `__init__`, or say with `ClassVar` that it is shared.",
    examples: &[Example {
        path: "example.py",
        bad: "class Basket:
    items = []

    def add(self, item):
        self.items.append(item)
",
        good: "class Basket:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_mutable_class_default;

const CHANGES: &[&str] =
    &["add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"];

/// Reports public class attributes set to a mutable literal that a method changes through `self` and none sets anew.
/// Private ones and constants are how classes keep registries that are shared on purpose.
fn check_mutable_class_default(view: &View, found: &mut Vec<Finding>) {
    every_stmt(view.body, &mut |stmt| {
        let Stmt::ClassDef(class) = stmt else { return };
        let mut defaults = defaults(class);
        if defaults.is_empty() {
            return;
        }
        let mut uses = Uses::default();
        uses.visit_body(&class.body);
        defaults.retain(|name, _| uses.changed.contains(name) && !uses.set.contains(name));
        for (name, place) in defaults {
            let message = format!("`{name}` is one object for all instances, and methods change it");
            found.push(view.finding(&RULE, place, message));
        }
    });
}

fn defaults(class: &StmtClassDef) -> HashMap<&str, TextRange> {
    class
        .body
        .iter()
        .filter_map(|stmt| match stmt {
            Stmt::Assign(node) => match node.targets.as_slice() {
                [Expr::Name(name)] if is_mutable(&node.value) => Some((name.id.as_str(), node.range)),
                _ => None,
            },
            Stmt::AnnAssign(node) => match (node.target.as_ref(), node.value.as_deref()) {
                (Expr::Name(name), Some(value)) if is_mutable(value) && !is_class_var(&node.annotation) => {
                    Some((name.id.as_str(), node.range))
                }
                _ => None,
            },
            _ => None,
        })
        .filter(|(name, _)| name.starts_with(|c: char| c.is_lowercase()))
        .collect()
}

fn is_mutable(value: &Expr) -> bool {
    matches!(value, Expr::List(_) | Expr::Dict(_) | Expr::Set(_))
}

fn is_class_var(annotation: &Expr) -> bool {
    match annotation {
        Expr::Name(name) => name.id == "ClassVar",
        Expr::Attribute(attribute) => attribute.attr.as_str() == "ClassVar",
        Expr::Subscript(node) => is_class_var(&node.value),
        Expr::StringLiteral(text) => text.value.to_str().contains("ClassVar"),
        _ => false,
    }
}

/// What methods do to `self.name`.
#[derive(Default)]
struct Uses<'a> {
    changed: HashSet<&'a str>,
    set: HashSet<&'a str>,
}

impl<'a> SourceOrderVisitor<'a> for Uses<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Attribute(attribute) => {
                if let (Some(name), ExprContext::Store | ExprContext::Del) = (of_self(expr), attribute.ctx) {
                    self.set.insert(name);
                }
                if CHANGES.contains(&attribute.attr.as_str()) {
                    self.changed.extend(of_self(&attribute.value));
                }
            }
            Expr::Subscript(node) if node.ctx != ExprContext::Load => self.changed.extend(of_self(&node.value)),
            _ => {}
        }
        source_order::walk_expr(self, expr);
    }
}

fn of_self(expr: &Expr) -> Option<&str> {
    let Expr::Attribute(attribute) = expr else { return None };
    matches!(attribute.value.as_ref(), Expr::Name(name) if name.id == "self").then_some(attribute.attr.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("class C:\n    items = []\n    def f(self, x):\n        self.items.append(x)\n", &[2])]
    #[case("class C:\n    items: dict = {}\n    def f(self, x):\n        self.items[x] = 1\n", &[2])]
    #[case("class C:\n    items = []\n    def f(self):\n        return self.items\n", &[])]
    #[case("class C:\n    items = []\n    def __init__(self):\n        self.items = []\n    def f(self):\n        self.items.append(1)\n", &[])]
    #[case("class C:\n    items: ClassVar[list[int]] = []\n    def f(self):\n        self.items.append(1)\n", &[])]
    #[case("class C:\n    _pools = {}\n    def f(self, x):\n        self._pools[x] = 1\n", &[])]
    #[case("class C:\n    items = []\n    @classmethod\n    def f(cls):\n        cls.items.append(1)\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_mutable_class_default, text), expected);
    }
}
