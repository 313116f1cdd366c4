//! Sums of values that are multiplied by weights.

use std::collections::HashMap;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, ExprCall, Operator, Stmt};
use ruff_text_size::{Ranged as _, TextRange};

use super::flow::Bindings;
use super::names::last_name;
use super::retrieval::literal_text;
use super::weights::is_weight_name;

/// Values, each multiplied by its weight, and added up.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedSum<'a> {
    pub range: TextRange,
    /// What the weights were taken from, by its last name; the names of weights that stand alone.
    pub sources: Vec<&'a str>,
    /// The names of the weights, when the text has them.
    pub keys: Vec<&'a str>,
    /// A weight that is not in the table counts as something else or not at all, or something without a weight is added.
    pub optional: bool,
    /// What the sum is bound to.
    pub bound: Option<&'a str>,
    /// It is divided by something.
    pub divided: bool,
}

/// One weight of a product.
#[derive(Debug, Clone, Copy)]
struct WeightFactor<'a> {
    source: &'a str,
    key: Option<&'a str>,
    optional: bool,
}

/// A scope with more of them is data, and nothing is said of it.
const MOST_SUMS: usize = 500;

/// The weighted sums of a scope.
#[must_use]
pub fn weighted_sums<'a>(scope: &'a [Stmt]) -> Vec<WeightedSum<'a>> {
    let bindings = Bindings::of_scope(scope);
    let mut found = SumFinder { additions: additions(scope), ..SumFinder::default() };
    for (names, value) in bindings.all() {
        found.note_loop(names, value);
    }
    found.visit_body(scope);
    found.settle(&bindings)
}

#[derive(Default)]
struct SumFinder<'a> {
    /// How often something is added to each name.
    additions: HashMap<&'a str, usize>,
    /// Loops around the statement at hand.
    depth: usize,
    /// Names that a loop sets to one weight after the other, with what the weights stand in.
    loops: HashMap<&'a str, &'a str>,
    sums: Vec<WeightedSum<'a>>,
    /// Left sides of divisions.
    quotients: Vec<&'a Expr>,
}

impl<'a> SumFinder<'a> {
    /// `for name, weight in WEIGHTS.items()`, `for weight, value in zip(weights, values)`.
    fn note_loop(&mut self, names: &[&'a str], iterable: &'a Expr) {
        let Expr::Call(call) = iterable else { return };
        let table = match call.func.as_ref() {
            Expr::Attribute(method) if matches!(method.attr.as_str(), "items" | "values") => last_name(&method.value),
            Expr::Name(name) if name.id.as_str() == "zip" => {
                call.arguments.args.iter().filter_map(last_name).find(|name| is_weight_name(name))
            }
            _ => None,
        };
        let Some(table) = table.filter(|name| is_weight_name(name)) else { return };
        let position = match call.func.as_ref() {
            Expr::Name(_) => call.arguments.args.iter().position(|one| last_name(one) == Some(table)),
            _ => names.len().checked_sub(1),
        };
        if let Some(name) = position.and_then(|at| names.get(at)) {
            self.loops.insert(name, table);
        }
    }

    fn weight_factor(&self, expr: &'a Expr) -> Option<WeightFactor<'a>> {
        let plain = |source, key| Some(WeightFactor { source, key, optional: false });
        match expr {
            Expr::Name(node) => {
                let name = node.id.as_str();
                match self.loops.get(name) {
                    Some(table) => plain(table, None),
                    None => {
                        is_weight_name(name).then_some(WeightFactor { source: name, key: Some(name), optional: false })
                    }
                }
            }
            Expr::Attribute(node) => match last_name(&node.value).filter(|name| is_weight_name(name)) {
                Some(table) => plain(table, Some(node.attr.as_str())),
                None if is_weight_name(&node.attr) => plain(node.attr.as_str(), Some(node.attr.as_str())),
                None => None,
            },
            Expr::Subscript(node) if !node.slice.is_slice_expr() => {
                let table = last_name(&node.value).filter(|name| is_weight_name(name))?;
                plain(table, literal_text(&node.slice))
            }
            Expr::Call(call) => {
                let Expr::Attribute(method) = call.func.as_ref() else { return None };
                let table = last_name(&method.value).filter(|name| is_weight_name(name))?;
                let key = call.arguments.args.first().and_then(literal_text);
                (method.attr.as_str() == "get").then_some(WeightFactor { source: table, key, optional: true })
            }
            _ => None,
        }
    }

    /// The weight in a product, on whichever side.
    fn weight_in_product(&self, expr: &'a Expr) -> Option<WeightFactor<'a>> {
        let Expr::BinOp(node) = expr else { return None };
        if node.op != Operator::Mult {
            return None;
        }
        let (left, right) = (self.weight_factor(&node.left), self.weight_factor(&node.right));
        // A product of two weights is a weight, and no weighted value.
        match (left, right) {
            (Some(_), Some(_)) => None,
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) => self.weight_in_product(&node.left).or_else(|| self.weight_in_product(&node.right)),
        }
    }

    fn push(&mut self, range: TextRange, factors: &[WeightFactor<'a>], bound: Option<&'a str>) {
        self.sums.push(WeightedSum {
            range,
            sources: factors.iter().map(|one| one.source).collect(),
            keys: factors.iter().filter_map(|one| one.key).collect(),
            optional: factors.iter().any(|one| one.optional),
            bound,
            divided: false,
        });
    }

    /// `WEIGHTS["a"] * a + WEIGHTS["b"] * b`, and whether every term but numbers has its weight.
    fn sum_of_terms(&self, expr: &'a Expr) -> Option<(Vec<WeightFactor<'a>>, bool)> {
        let mut factors = Vec::new();
        let mut whole = true;
        let mut open = vec![expr];
        while let Some(one) = open.pop() {
            match one {
                Expr::BinOp(node) if matches!(node.op, Operator::Add | Operator::Sub) => {
                    whole &= node.op == Operator::Add;
                    open.extend([node.left.as_ref(), node.right.as_ref()]);
                }
                Expr::NumberLiteral(_) => {}
                _ => match self.weight_in_product(one) {
                    Some(factor) => factors.push(factor),
                    None => whole = false,
                },
            }
        }
        (factors.len() >= 2).then_some((factors, whole))
    }

    /// `sum(weight * value for …)`.
    fn sum_of_generator(&self, call: &'a ExprCall) -> Option<WeightFactor<'a>> {
        if !matches!(last_name(&call.func), Some("sum" | "fsum")) {
            return None;
        }
        let elt = match call.arguments.args.first()? {
            Expr::Generator(node) => &node.elt,
            Expr::ListComp(node) => &node.elt,
            _ => return None,
        };
        self.weight_in_product(elt)
    }

    /// Says of each sum what it is bound to and whether that is divided.
    fn settle(mut self, bindings: &Bindings<'a>) -> Vec<WeightedSum<'a>> {
        if self.sums.len() > MOST_SUMS {
            return Vec::new();
        }
        for sum in &mut self.sums {
            let holds = |value: &&(Vec<&'a str>, &'a Expr)| value.1.range().contains_range(sum.range);
            if sum.bound.is_none() {
                sum.bound = bindings.all().iter().find(holds).and_then(|(names, _)| names.first().copied());
            }
            let of_sum = |left: &&Expr| {
                left.range().contains_range(sum.range)
                    || sum.bound.is_some_and(|bound| last_name(left) == Some(bound))
                    || left.as_call_expr().is_some_and(|call| {
                        call.arguments.args.iter().any(|one| sum.bound.is_some() && last_name(one) == sum.bound)
                    })
            };
            sum.divided = self.quotients.iter().any(of_sum);
        }
        self.sums
    }
}

impl<'a> SourceOrderVisitor<'a> for SumFinder<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::AugAssign(node) if node.op == Operator::Add => {
                // One addition adds up only when it is made again and again, or beside others.
                if let (Some(factor), Some(bound)) = (self.weight_in_product(&node.value), last_name(&node.target))
                    && (self.depth > 0 || self.additions.get(bound).is_some_and(|count| *count >= 2))
                {
                    self.push(node.range, &[factor], Some(bound));
                }
            }
            Stmt::AugAssign(node) if node.op == Operator::Div => self.quotients.push(&node.target),
            _ => {}
        }
        let is_loop = usize::from(matches!(stmt, Stmt::For(_) | Stmt::While(_)));
        self.depth += is_loop;
        source_order::walk_stmt(self, stmt);
        self.depth -= is_loop;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::BinOp(node) if node.op == Operator::Div => self.quotients.push(&node.left),
            Expr::BinOp(node) if matches!(node.op, Operator::Add | Operator::Sub) => {
                if let Some((mut factors, whole)) = self.sum_of_terms(expr) {
                    factors.iter_mut().for_each(|one| one.optional |= !whole);
                    self.push(node.range, &factors, None);
                    return;
                }
            }
            Expr::Call(call) => {
                if let Some(factor) = self.sum_of_generator(call) {
                    self.push(call.range(), &[factor], None);
                }
            }
            _ => {}
        }
        source_order::walk_expr(self, expr);
    }
}

/// How often something is added to each name in a scope.
fn additions(scope: &[Stmt]) -> HashMap<&str, usize> {
    struct Additions<'a>(HashMap<&'a str, usize>);
    impl<'a> SourceOrderVisitor<'a> for Additions<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
                Stmt::AugAssign(node) if node.op == Operator::Add => {
                    if let Some(name) = last_name(&node.target) {
                        *self.0.entry(name).or_default() += 1;
                    }
                }
                _ => {}
            }
            source_order::walk_stmt(self, stmt);
        }

        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut walk = Additions(HashMap::new());
    walk.visit_body(scope);
    walk.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse_python;

    #[test]
    fn of_a_scope_that_is_full_of_sums_nothing_is_said() {
        let count = |sums: usize| {
            let text = "t = weights['a'] * a + weights['b'] * b\n".repeat(sums);
            parse_python(&text, ruff_python_ast::PythonVersion::latest(), |parsed| weighted_sums(parsed.suite()).len())
        };
        assert_eq!((count(MOST_SUMS).unwrap(), count(MOST_SUMS + 1).unwrap()), (MOST_SUMS, 0));
    }

    #[rstest::rstest]
    #[case("t = sum(WEIGHTS[k] * v for k, v in xs.items())\n", &["WEIGHTS > t"])]
    #[case("t = sum(w * s[k] for k, w in WEIGHTS.items())\n", &["WEIGHTS > t"])]
    #[case("t = sum(s * w for w, s in zip(weights, scores)) / sum(weights)\n", &["weights > t divided"])]
    #[case("t = W['a'] * a + weights['b'] * b + weights['c'] * c\n", &["weights,weights[c,b] > t optional"])]
    #[case("t = W['a'] * a + weights['b'] * b\n", &[])]
    #[case("t = weights['a'] * a + weights['b'] * b + 1\n", &["weights,weights[b,a] > t"])]
    #[case("t = 0\nfor k, w in WEIGHTS.items():\n    t += w * s[k]\nt /= n\n", &["WEIGHTS > t divided"])]
    #[case("t = 0\nt += WEIGHTS['a'] * a\nt += WEIGHTS.get('b', 0) * b\n", &["WEIGHTS[a] > t", "WEIGHTS[b] > t optional"])]
    #[case("t += WEIGHTS['a'] * a\n", &[])]
    #[case("t = weights['a'] * a + base - weights['b'] * b\n", &["weights,weights[b,a] > t optional"])]
    #[case("t = A_WEIGHT * a + B_WEIGHT * b\n", &["B_WEIGHT,A_WEIGHT[B_WEIGHT,A_WEIGHT] > t"])]
    #[case("t = sum(x * y for x, y in zip(a, b))\n", &[])]
    #[case("t = sum(weights)\n", &[])]
    #[case("t = self.w.risk_weight * r + self.w.cost_weight * c\nu = round(t) / 2\n", &["cost_weight,risk_weight[cost_weight,risk_weight] > t divided"])]
    fn sums(#[case] text: &str, #[case] expected: &[&str]) {
        let found = parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            let show = |sum: &WeightedSum| {
                let keys = if sum.keys.is_empty() { String::new() } else { format!("[{}]", sum.keys.join(",")) };
                let optional = if sum.optional { " optional" } else { "" };
                let divided = if sum.divided { " divided" } else { "" };
                format!("{}{keys} > {}{optional}{divided}", sum.sources.join(","), sum.bound.unwrap_or("-"))
            };
            weighted_sums(parsed.suite()).iter().map(show).collect::<Vec<_>>()
        });
        assert_eq!(found.unwrap(), expected);
    }
}
