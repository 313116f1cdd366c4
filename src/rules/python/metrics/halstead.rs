//! Halstead's counts and what follows from them, by radon's rules.
//!
//! Operators are those of binary, unary and Boolean operations, comparisons and augmented assignments; operands are
//! what stands beside them. An operand is told apart by the innermost function it stands in and by its value.
//! Decorators, parameters and annotations of functions are not looked at.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, Stmt};

use super::operand::{OperandKey, operand_key};

/// The counts of one module. All derived figures are functions of these four.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Halstead {
    /// Distinct operators (η₁).
    pub h1: u32,
    /// Distinct operands (η₂).
    pub h2: u32,
    /// Operators (N₁).
    pub n1: u32,
    /// Operands (N₂).
    pub n2: u32,
}

impl Halstead {
    /// Distinct operators and operands.
    #[must_use]
    pub fn vocabulary(self) -> u32 {
        self.h1 + self.h2
    }

    /// Operators and operands.
    #[must_use]
    pub fn length(self) -> u32 {
        self.n1 + self.n2
    }

    /// η₁·log₂η₁ + η₂·log₂η₂; 0 when either is 0.
    #[must_use]
    pub fn calculated_length(self) -> f64 {
        if self.h1 == 0 || self.h2 == 0 {
            return 0.0;
        }
        f64::from(self.h1) * log2(self.h1) + f64::from(self.h2) * log2(self.h2)
    }

    /// Length times the binary logarithm of the vocabulary.
    #[must_use]
    pub fn volume(self) -> f64 {
        if self.vocabulary() == 0 { 0.0 } else { f64::from(self.length()) * log2(self.vocabulary()) }
    }

    /// η₁·N₂ / 2η₂.
    #[must_use]
    pub fn difficulty(self) -> f64 {
        if self.h2 == 0 { 0.0 } else { f64::from(self.h1) * f64::from(self.n2) / (2.0 * f64::from(self.h2)) }
    }

    /// Difficulty times volume.
    #[must_use]
    pub fn effort(self) -> f64 {
        self.difficulty() * self.volume()
    }

    /// Effort / 18, in seconds.
    #[must_use]
    pub fn time(self) -> f64 {
        self.effort() / 18.0
    }

    /// Volume / 3000.
    #[must_use]
    pub fn bugs(self) -> f64 {
        self.volume() / 3000.0
    }
}

/// Python's `math.log(n, 2)`: a quotient of natural logarithms, which is not always the nearest number.
fn log2(n: u32) -> f64 {
    libm::log(f64::from(n)) / libm::log(2.0)
}

/// Measures a module; `text` is what `body` was parsed from.
#[must_use]
pub fn measure_halstead(text: &str, body: &[Stmt]) -> Halstead {
    let mut walk = HalsteadVisitor { text, ..HalsteadVisitor::default() };
    walk.visit_body(body);
    let distinct = walk.operands_seen.len() + walk.unique;
    Halstead {
        h1: to_u32_saturating(walk.operators_seen.len()),
        h2: to_u32_saturating(distinct),
        n1: to_u32_saturating(walk.operators),
        n2: to_u32_saturating(walk.operands),
    }
}

fn to_u32_saturating(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct HalsteadVisitor<'a> {
    text: &'a str,
    operators: usize,
    operands: usize,
    operators_seen: HashSet<&'static str>,
    operands_seen: HashSet<(usize, OperandKey<'a>)>,
    /// Operands that equal nothing but themselves.
    unique: usize,
    /// The number of the innermost function's name; functions of one name share it, and 0 is the module.
    function: usize,
    names: HashMap<Cow<'a, str>, usize>,
}

impl<'a> HalsteadVisitor<'a> {
    fn count_operator(&mut self, name: &'static str) {
        self.operators += 1;
        self.operators_seen.insert(name);
    }

    fn count_operand(&mut self, operand: &'a Expr) {
        self.operands += 1;
        match operand_key(self.text, operand) {
            Some(key) => {
                self.operands_seen.insert((self.function, key));
            }
            None => self.unique += 1,
        }
    }
}

impl<'a> SourceOrderVisitor<'a> for HalsteadVisitor<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => {
                let next = self.names.len() + 1;
                let number = *self.names.entry(Cow::Borrowed(def.name.as_str())).or_insert(next);
                let outer = std::mem::replace(&mut self.function, number);
                self.visit_body(&def.body);
                self.function = outer;
                return;
            }
            Stmt::AugAssign(node) => {
                self.count_operator(node.op.as_str());
                self.count_operand(&node.target);
                self.count_operand(&node.value);
            }
            _ => {}
        }
        source_order::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::BinOp(node) => {
                self.count_operator(node.op.as_str());
                self.count_operand(&node.left);
                self.count_operand(&node.right);
            }
            Expr::UnaryOp(node) => {
                self.count_operator(unary_name(node.op));
                self.count_operand(&node.operand);
            }
            Expr::BoolOp(node) => {
                self.count_operator(node.op.as_str());
                node.values.iter().for_each(|value| self.count_operand(value));
            }
            Expr::Compare(node) => {
                node.ops.iter().for_each(|op| self.count_operator(op.as_str()));
                node.comparators.iter().for_each(|value| self.count_operand(value));
                self.count_operand(&node.left);
            }
            _ => {}
        }
        source_order::walk_expr(self, expr);
    }
}

/// A name that no binary operator has: `-x` and `x - y` are different operators.
fn unary_name(op: ruff_python_ast::UnaryOp) -> &'static str {
    use ruff_python_ast::UnaryOp;
    match op {
        UnaryOp::Invert => "unary ~",
        UnaryOp::Not => "not",
        UnaryOp::UAdd => "unary +",
        UnaryOp::USub => "unary -",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("", [0, 0, 0, 0])]
    #[case("a + b", [1, 2, 1, 2])]
    #[case("a + 'a' + x.a", [1, 2, 2, 4])] // one text twice, and the inner sum stands for itself
    #[case("a += -1\nb = a - 1", [3, 3, 3, 5])]
    #[case("a < b < c", [1, 3, 2, 3])]
    #[case("a and b and not c", [2, 4, 2, 4])]
    #[case("def f():\n    return a + 1\ndef g():\n    return a + 1\n", [1, 4, 2, 4])]
    #[case("class A:\n    def f(self): a + 1\nclass B:\n    def f(self): a + 1\n", [1, 2, 2, 4])]
    #[case("@d(1 + 2)\ndef f(x=1 + 2) -> 1 + 2: pass", [0, 0, 0, 0])]
    #[case("f'{a + 1}'", [1, 2, 1, 2])]
    fn counts(#[case] text: &str, #[case] expected: [u32; 4]) {
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        let Halstead { h1, h2, n1, n2 } = measure_halstead(text, parsed.suite());
        assert_eq!([h1, h2, n1, n2], expected);
    }

    #[test]
    fn derived_figures() {
        let counts = Halstead { h1: 3, h2: 5, n1: 7, n2: 11 };
        assert!((counts.volume() - 54.0).abs() < 1e-9);
        assert!((counts.difficulty() - 3.3).abs() < 1e-12);
        assert!((counts.effort() - 178.2).abs() < 1e-9);
        assert!((counts.time() - 9.9).abs() < 1e-9);
        assert!((counts.bugs() - 0.018).abs() < 1e-12);
        assert!((counts.calculated_length() - 16.364_527_976_600_28).abs() < 1e-9);
        assert_eq!(Halstead::default().volume(), 0.0);
    }
}
