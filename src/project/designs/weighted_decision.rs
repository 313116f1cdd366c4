//! Decisions by weighted sums: several values count by their weights, and the sum decides.

use std::collections::HashSet;

use ruff_python_ast::{CmpOp, Expr, ExprCall, Stmt};
use ruff_text_size::Ranged as _;

use super::{Design, DesignSource, Signs};
use tapps_syntax::python::flow::every_scope_expr;
use tapps_syntax::python::names::last_name;
use tapps_syntax::python::weighted_sums::{WeightedSum, weighted_sums};
use tapps_syntax::python::weights::weight_tables;

pub(super) const DESIGN: Design = Design {
    name: "weighted-decision",
    expert_domain: "code-quality",
    // A table and a sum are known by the same word.
    words: &[&["weight", "Weight", "WEIGHT"]],
    look: look_for_weighing,
};

const WEIGHTS: &str = "weights";
const SUM: &str = "weighted-sum";
const CHOICE: &str = "choice";

fn look_for_weighing(source: &DesignSource<'_>) -> Signs {
    let tables = weight_tables(&source.scopes);
    let mut signs: Signs = tables.iter().map(|table| (WEIGHTS, table.range)).collect();
    let by_scope: Vec<(&[Stmt], Vec<WeightedSum<'_>>)> =
        source.scopes.iter().map(|scope| (*scope, weighted_sums(scope))).collect();
    signs.extend(by_scope.iter().flat_map(|(_, sums)| sums).map(|sum| (SUM, sum.range)));
    // Without a sum a comparison is no choice by it.
    let summing = summing_functions(source.body, &by_scope);
    for (scope, sums) in &by_scope {
        let bound: HashSet<&str> = sums.iter().filter_map(|sum| sum.bound).collect();
        every_scope_expr(scope, &mut |expr| {
            if chooses(expr, &bound, &summing) {
                signs.push((CHOICE, expr.range()));
            }
        });
    }
    signs
}

/// Functions and methods with a weighted sum in them: what they return is taken for it.
fn summing_functions<'a>(body: &'a [Stmt], by_scope: &[(&'a [Stmt], Vec<WeightedSum<'a>>)]) -> HashSet<&'a str> {
    let mut found = HashSet::new();
    let mut open: Vec<&Stmt> = body.iter().collect();
    while let Some(stmt) = open.pop() {
        match stmt {
            Stmt::FunctionDef(def) => {
                let own = |(scope, _): &&(&[Stmt], Vec<_>)| std::ptr::eq::<[Stmt]>(*scope, &*def.body);
                if by_scope.iter().find(own).is_some_and(|(_, sums)| !sums.is_empty()) {
                    found.insert(def.name.as_str());
                }
                open.extend(&def.body);
            }
            Stmt::ClassDef(class) => open.extend(&class.body),
            _ => {}
        }
    }
    found
}

/// True for a comparison with a sum, and for a search of the largest or an order by it.
fn chooses(expr: &Expr, bound: &HashSet<&str>, summing: &HashSet<&str>) -> bool {
    let is_sum = |expr: &Expr| match expr {
        Expr::Call(call) => last_name(&call.func).is_some_and(|name| summing.contains(name)),
        _ => last_name(expr).is_some_and(|name| bound.contains(name)),
    };
    match expr {
        Expr::Compare(node) => {
            let ordered = node.ops.iter().all(|op| matches!(op, CmpOp::Gt | CmpOp::GtE | CmpOp::Lt | CmpOp::LtE));
            ordered && (is_sum(&node.left) || node.comparators.iter().any(is_sum))
        }
        Expr::Call(call) if is_order(call) => {
            let by_key = key_of(call).is_some_and(|key| is_key_by(key, summing, &is_sum));
            // `sorted(totals.items())`, `max(totals, key=totals.get)`.
            let of_sums = call.arguments.args.first().is_some_and(|ordered| match ordered {
                Expr::Call(inner) => inner.func.as_attribute_expr().is_some_and(|method| is_sum(&method.value)),
                _ => call.arguments.args.len() == 1 && is_sum(ordered),
            });
            by_key || of_sums
        }
        _ => false,
    }
}

fn is_order(call: &ExprCall) -> bool {
    matches!(last_name(&call.func), Some("max" | "min" | "sorted" | "sort" | "nlargest" | "nsmallest"))
}

fn key_of(call: &ExprCall) -> Option<&Expr> {
    tapps_syntax::python::retrieval::keyword(call, "key")
}

/// `key=score`, `key=lambda one: score(one)`.
fn is_key_by(key: &Expr, summing: &HashSet<&str>, is_sum: &impl Fn(&Expr) -> bool) -> bool {
    match key {
        Expr::Lambda(node) => is_sum(&node.body),
        _ => last_name(key).is_some_and(|name| summing.contains(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::kinds;

    #[rstest::rstest]
    #[case(
        "WEIGHTS = {'a': 0.7, 'b': 0.3}\ndef score(x):\n    return sum(w * x[k] for k, w in WEIGHTS.items())\nbest = max(xs, key=score)\n",
        &["weights:1", "weighted-sum:3", "choice:4"]
    )]
    #[case(
        "class Weights:\n    a: float\n    b: float\ndef f(weights, x):\n    total = weights.a * x.a + weights.b * x.b\n    return total > 0.5\n",
        &["weights:1", "weighted-sum:5", "choice:6"]
    )]
    #[case(
        "def f(weights, xs):\n    total = 0\n    for name, weight in weights.items():\n        total += weight * xs[name]\n    if total >= LIMIT:\n        return 1\n",
        &["weighted-sum:4", "choice:5"]
    )]
    #[case(
        "def f(weights, x):\n    return weights['a'] * x.a + weights['b'] * x.b\nxs.sort(key=lambda x: f(w, x))\n",
        &["weighted-sum:2", "choice:3"]
    )]
    #[case(
        "def f(weights, xs):\n    totals = {}\n    for x, weight in zip(xs, weights):\n        totals[x.id] += weight * x.rank\n    return sorted(totals.items(), key=last)\n",
        &["weighted-sum:4", "choice:5"]
    )]
    fn weighing_is_seen(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(kinds("weighted-decision", text), expected);
    }

    #[rstest::rstest]
    #[case("WEIGHTS = {'a': 0.7, 'b': 0.3}\nif a > 1: b = c * 2\n")]
    #[case("font_weights = {'a': 400, 'b': 700}\nif font_weights['a'] > 500: x = 2 * y\n")]
    #[case("class_weights = {0: 0.5, 1: 2.0}\nloss = sum(class_weights[y] * l for y, l in xs)\nif loss > 1: stop()\n")]
    #[case("height = sum(h * w for h, w in xs)\nif height > 3: x = 1\n")]
    #[case("weight = mass * g\nif weight > 3: x = 1\n")]
    fn other_code_is_not(#[case] text: &str) {
        assert_eq!(kinds("weighted-decision", text), [""; 0]);
    }
}
