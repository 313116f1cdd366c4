//! Building a string by adding to it in a loop.

use std::collections::HashSet;

use ruff_python_ast::{Expr, Operator, Stmt};
use ruff_text_size::TextRange;

use super::loops::is_bounded;
use super::suites::{every_scope, inner_suites, is_definition, names_bound_in};
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "quadratic-concat",
    aliases: &["pylint:consider-using-join"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 800,
    blocking: false,
    summary: "A string is built by adding to it in a loop, which copies it again and again.",
    help: "Collect the parts in a list and join them once after the loop.",
    explanation: "A string cannot be changed, so `text += part` copies everything that is there already. In a loop the \
        copies add up to the square of the length. Collect the parts in a list and join them once; an interpreter that \
        optimises this sometimes does not do so everywhere.",
    examples: &[Example {
        path: "example.py",
        bad: r#"def render(rows):
    page = ""
    for row in rows:
        page += f"<li>{row}</li>"
    return page
"#,
        good: r#"def render(rows):
    return "".join(f"<li>{row}</li>" for row in rows)
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_quadratic_concat;

/// Reports each string variable of a function once, at the first addition to it in a loop.
fn check_quadratic_concat(view: &View, found: &mut Vec<Finding>) {
    every_scope(view.body, &mut |body| {
        let mut scan = StringConcatScan { view, found, strings: HashSet::new(), reported: HashSet::new() };
        scan.suite(body, None);
    });
}

struct StringConcatScan<'a, 'v> {
    view: &'v View<'a>,
    found: &'v mut Vec<Finding>,
    /// Variables that hold a string literal so far.
    strings: HashSet<&'a str>,
    reported: HashSet<&'a str>,
}

impl<'a> StringConcatScan<'a, '_> {
    /// `resets`: the names that the innermost loop around the suite sets anew each time; none outside of loops.
    fn suite(&mut self, body: &'a [Stmt], resets: Option<&HashSet<&'a str>>) {
        for stmt in body.iter().filter(|stmt| !is_definition(stmt)) {
            match stmt {
                Stmt::Assign(node) => {
                    if let [Expr::Name(name)] = node.targets.as_slice() {
                        if adds_to(&name.id, &node.value) {
                            self.addition(&name.id, node.range, resets);
                        } else if is_string(&node.value) {
                            self.strings.insert(name.id.as_str());
                        } else {
                            self.strings.remove(name.id.as_str());
                        }
                    }
                }
                Stmt::AugAssign(node) if node.op == Operator::Add => {
                    if let Expr::Name(name) = node.target.as_ref() {
                        self.addition(&name.id, node.range, resets);
                    }
                }
                Stmt::For(node) if !is_bounded(&node.iter) => self.inside_loop(&node.body),
                Stmt::While(node) => self.inside_loop(&node.body),
                _ => inner_suites(stmt).into_iter().for_each(|suite| self.suite(suite, resets)),
            }
        }
    }

    fn inside_loop(&mut self, body: &'a [Stmt]) {
        let resets = plainly_assigned(body).into_iter().collect();
        self.suite(body, Some(&resets));
    }

    fn addition(&mut self, name: &'a str, place: TextRange, resets: Option<&HashSet<&'a str>>) {
        // What the innermost loop sets anew never grows beyond one turn of it.
        let grows = resets.is_some_and(|names| !names.contains(name));
        if grows && self.strings.contains(name) && self.reported.insert(name) {
            let message = format!("`{name}` is built by adding to it in a loop");
            self.found.push(self.view.finding(&RULE, place, message));
        }
    }
}

/// Names that a loop's body assigns other than by adding to them.
fn plainly_assigned(body: &[Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    for stmt in body.iter().filter(|stmt| !is_definition(stmt)) {
        match stmt {
            Stmt::AugAssign(_) => {}
            Stmt::Assign(node) => {
                if let [Expr::Name(name)] = node.targets.as_slice()
                    && !adds_to(&name.id, &node.value)
                {
                    names.push(name.id.as_str());
                }
            }
            _ => {
                let suites = inner_suites(stmt);
                if suites.is_empty() {
                    names.extend(names_bound_in(std::slice::from_ref(stmt)));
                }
                names.extend(suites.into_iter().flat_map(plainly_assigned));
            }
        }
    }
    names
}

/// True for `name + …`.
fn adds_to(name: &str, value: &Expr) -> bool {
    let Expr::BinOp(sum) = value else { return false };
    let mut left = sum;
    while left.op == Operator::Add {
        match left.left.as_ref() {
            Expr::BinOp(inner) => left = inner,
            Expr::Name(found) => return found.id == name,
            _ => return false,
        }
    }
    false
}

fn is_string(value: &Expr) -> bool {
    matches!(value, Expr::StringLiteral(_) | Expr::FString(_) | Expr::BytesLiteral(_))
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("s = ''\nfor x in xs:\n    s += x\n", &[3])]
    #[case("s = ''\nfor x in xs:\n    if x:\n        s = s + x + ','\n    s += y\n", &[4])]
    #[case("def f():\n    s = f'{a}'\n    while b:\n        s += x\n", &[4])]
    #[case("s = 0\nfor x in xs:\n    s += x\n", &[])]
    #[case("for x in xs:\n    s = ''\n    s += x\n", &[])]
    #[case("s = ''\nfor x in xs:\n    s += x\n    if len(s) > 9:\n        s = ''\n", &[])]
    #[case("s = ''\nfor x in (1, 2):\n    s += x\n", &[])]
    #[case("s = ''\ns += x\n", &[])]
    #[case("s = ''\ns = []\nfor x in xs:\n    s += x\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_quadratic_concat, text), expected);
    }
}
