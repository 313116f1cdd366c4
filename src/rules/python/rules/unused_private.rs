//! Module-level functions and classes that are private by name and that the module never uses.

use std::collections::HashSet;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, Stmt, StringLiteral};
use ruff_text_size::TextSize;

use super::{ModuleRunner, View};
use crate::python::metrics::complexity::keyword_start;
use crate::words::names_in;
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unused-private",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "A private function or class is never used in its module.",
    help: "Remove it, or drop the leading underscore when other modules use it.",
    explanation: "A leading underscore says that nothing outside the module uses the function or class, and nothing \
        inside does either. It is read and maintained for nothing, and often it is what a forgotten call should have \
        called. Remove it, or drop the underscore where other modules do use it.",
    examples: &[Example {
        path: "example.py",
        bad: r#"def _parse(text):
    return text.split(",")


def load(path):
    return open(path).read()
"#,
        good: r#"def _parse(text):
    return text.split(",")


def load(path):
    return _parse(open(path).read())
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_unused_private;

/// Reports private definitions that nothing in the file names, in code or in a string. Decorated ones are used by
/// their decorator, and what a module with a private name holds is for its neighbours.
fn check_unused_private(view: &View, found: &mut Vec<Finding>) {
    let private = private_definitions(view);
    if private.is_empty() || view.is_stub() || is_private_module(view.path) {
        return;
    }
    let mut uses = Uses { inside: None, named: HashSet::new() };
    uses.visit_body(view.body);
    for (name, start) in private {
        if !uses.named.contains(name) {
            let message = format!("`{name}` is private and nothing in this module uses it");
            found.push(view.finding_at(&RULE, start, message).anchored(name));
        }
    }
}

/// True when the file or a folder above it has a private name.
fn is_private_module(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('_') && part != "__init__.py")
}

fn private_definitions<'a>(view: &View<'a>) -> Vec<(&'a str, TextSize)> {
    let text = view.lines.text();
    view.body
        .iter()
        .filter_map(|stmt| {
            let (name, decorators, range) = match stmt {
                Stmt::FunctionDef(def) => (def.name.as_str(), &def.decorator_list, def.range),
                Stmt::ClassDef(def) => (def.name.as_str(), &def.decorator_list, def.range),
                _ => return None,
            };
            let is_private = name.starts_with('_') && !name.starts_with("__") && name.len() > 1;
            (is_private && decorators.is_empty()).then(|| (name, keyword_start(text, range, decorators)))
        })
        .collect()
}

/// Names that appear in the module other than inside the definition that they name.
struct Uses<'a> {
    inside: Option<&'a str>,
    named: HashSet<&'a str>,
}

impl<'a> Uses<'a> {
    fn record_name(&mut self, name: &'a str) {
        if self.inside != Some(name) {
            self.named.insert(name);
        }
    }
}

impl<'a> SourceOrderVisitor<'a> for Uses<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let name = match stmt {
            Stmt::FunctionDef(def) => Some(def.name.as_str()),
            Stmt::ClassDef(def) => Some(def.name.as_str()),
            _ => None,
        };
        let outside = self.inside;
        self.inside = outside.or(name);
        source_order::walk_stmt(self, stmt);
        self.inside = outside;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => self.record_name(&name.id),
            Expr::Attribute(attribute) => self.record_name(&attribute.attr),
            _ => {}
        }
        source_order::walk_expr(self, expr);
    }

    fn visit_string_literal(&mut self, literal: &'a StringLiteral) {
        // Names in `__all__`, in quoted annotations, and for `getattr`.
        for word in names_in(literal.as_str()) {
            if word.starts_with('_') {
                self.record_name(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[test]
    fn private_modules_are_for_their_neighbours() {
        let known = [("a/b.py", false), ("a/_b.py", true), ("_a/b.py", true), ("a/__init__.py", false)];
        for (path, private) in known {
            assert_eq!(is_private_module(path), private, "{path}");
        }
    }

    #[rstest::rstest]
    #[case("def _f(): pass\nclass _C: pass\n", &[1, 2])]
    #[case("def _f(): return _f()\n", &[1])]
    #[case("def _f(): pass\n_f()\n", &[])]
    #[case("def _f(): pass\n__all__ = ['_f']\n", &[])]
    #[case("class _C: pass\ndef f(x: 'list[_C]'): pass\n", &[])]
    #[case("@register\ndef _f(): pass\n", &[])]
    #[case("def __getattr__(name): pass\n", &[])]
    #[case("class C:\n    def _f(self): pass\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_unused_private, text), expected);
    }
}
