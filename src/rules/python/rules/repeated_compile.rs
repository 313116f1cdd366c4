//! Compiling the same regular expression again on every turn of a loop.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged as _;

use super::suites::is_definition;
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "repeated-compile",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 500,
    blocking: false,
    summary: "A constant regular expression is compiled on every turn of a loop.",
    help: "Compile it once, before the loop or at module level.",
    explanation: "The expression never changes, yet it is compiled (or looked up in the cache of `re`) on every turn. \
        Compile it once before the loop, or at module level with a name that says what it matches.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import re


def numbers(lines):
    found = []
    for line in lines:
        pattern = re.compile(r"\d+")
        found.extend(pattern.findall(line))
    return found
"#,
        good: r#"import re

NUMBER = re.compile(r"\d+")


def numbers(lines):
    found = []
    for line in lines:
        found.extend(NUMBER.findall(line))
    return found
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_repeated_compile;

/// Reports every `re.compile` of a constant pattern inside a loop.
fn check_repeated_compile(view: &View, found: &mut Vec<Finding>) {
    let mut walk = RepeatedCompileVisitor { view, found, loops: 0 };
    walk.visit_body(view.body);
}

struct RepeatedCompileVisitor<'a, 'v> {
    view: &'v View<'a>,
    found: &'v mut Vec<Finding>,
    loops: u32,
}

impl<'a> SourceOrderVisitor<'a> for RepeatedCompileVisitor<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let outside = self.loops;
        match stmt {
            Stmt::For(node) => {
                self.visit_expr(&node.iter);
                self.loops += 1;
                self.visit_body(&node.body);
                self.loops = outside;
                self.visit_body(&node.orelse);
            }
            Stmt::While(node) => {
                self.loops += 1;
                self.visit_expr(&node.test);
                self.visit_body(&node.body);
                self.loops = outside;
                self.visit_body(&node.orelse);
            }
            _ => {
                if is_definition(stmt) {
                    self.loops = 0;
                }
                source_order::walk_stmt(self, stmt);
                self.loops = outside;
            }
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.loops > 0 && is_constant_compile(expr) {
            self.found.push(self.view.finding(&RULE, expr.range(), "a constant pattern is compiled in a loop"));
        }
        source_order::walk_expr(self, expr);
    }
}

fn is_constant_compile(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Expr::Attribute(function) = call.func.as_ref() else { return false };
    let is_re = matches!(function.value.as_ref(), Expr::Name(name) if matches!(name.id.as_str(), "re" | "regex"));
    let is_constant = matches!(call.arguments.args.first(), Some(Expr::StringLiteral(_) | Expr::BytesLiteral(_)));
    is_re && function.attr.as_str() == "compile" && is_constant
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("for x in xs:\n    re.compile('a').match(x)\n", &[2])]
    #[case("while re.compile(r'a', re.I).match(x):\n    pass\n", &[1])]
    #[case("for x in xs:\n    re.compile(x)\n", &[])]
    #[case("for x in re.compile('a').findall(y):\n    pass\n", &[])]
    #[case("for x in xs:\n    def f(): return re.compile('a')\n", &[])]
    #[case("re.compile('a')\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_repeated_compile, text), expected);
    }
}
