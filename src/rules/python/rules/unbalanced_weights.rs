//! Weights that are written out, and whose sum is nearly a whole.

use std::collections::HashSet;

use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged as _;

use super::suites::every_stmt;
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};
use tapps_syntax::python::flow::{every_scope_expr, python_scopes};
use tapps_syntax::python::names::last_name;
use tapps_syntax::python::weighted_sums::{WeightedSum, weighted_sums};
use tapps_syntax::python::weights::{WeightTable, is_weight_name, weight_tables};
use tapps_syntax::words::{speaks_of, split_identifier_words};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unbalanced-weights",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "The weights of a sum do not add up to 1 or to 100, and the sum is not divided by theirs.",
    help: "Make the weights add up, or divide the sum by the sum of the weights.",
    explanation: "A weighted sum stays on the scale of its values only when the weights add up to 1, or to 100 of percent. \
        When one was added or changed and the others were not, the best possible result is no longer the whole, and every \
        threshold that it is compared with means something else. Dividing by the sum of the weights holds it whatever they \
        are. Judged are tables of positive numbers that are called weights and multiplied and summed in the same file: \
        fractions that add up to 0.7 to 1.4, and whole numbers that add up to 80 to 120. Weights of other sizes are taken \
        for points, which need no whole.",
    examples: &[Example {
        path: "example.py",
        bad: "WEIGHTS = {\"price\": 0.5, \"quality\": 0.3, \"delivery\": 0.1}


def total(scores):
    return sum(weight * scores[name] for name, weight in WEIGHTS.items())
",
        good: "WEIGHTS = {\"price\": 0.5, \"quality\": 0.3, \"delivery\": 0.2}


def total(scores):
    return sum(weight * scores[name] for name, weight in WEIGHTS.items())
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_unbalanced_weights;

/// A file with more tables is data, and nothing is said of it.
const MOST_TABLES: usize = 100;

/// Reports each table once.
fn check_unbalanced_weights(view: &View, found: &mut Vec<Finding>) {
    let text = view.lines.text();
    if !text.contains("eight") && !text.contains("EIGHT") {
        return;
    }
    let scopes = python_scopes(view.body);
    let tables = weight_tables(&scopes);
    if tables.is_empty() || tables.len() > MOST_TABLES {
        return;
    }
    let sums: Vec<WeightedSum> = scopes.iter().flat_map(|scope| weighted_sums(scope)).collect();
    let changed = changed_names(view.body);
    let totals = totals_of_weights(view, &scopes);
    for table in &tables {
        let single = tables.iter().filter(|other| other.name == table.name).count() == 1;
        let is_changed = |name: &str| changed.contains(name);
        let entry_changed = table.entries.iter().any(|(entry, _)| is_changed(entry));
        if !single || is_about_extras(table.name) || is_changed(table.name) || entry_changed {
            continue;
        }
        let Some(total) = unbalanced_total(table, &sums) else { continue };
        if !totals.iter().any(|call| call.contains(table.name)) {
            let whole = if total > 2.0 { "100" } else { "1" };
            let message = format!("the weights of `{}` add up to {total}, not to {whole}", table.name);
            found.push(view.finding(&RULE, table.range, message));
        }
    }
}

/// True for weights that are added on top of a whole.
fn is_about_extras(name: &str) -> bool {
    const EXTRAS: [&str; 8] = ["bonus", "boost", "boosts", "extra", "penalties", "penalty", "prior", "priors"];
    speaks_of(name, &EXTRAS)
}

/// Names of weights that are bound more than once, or of which an entry is set or a table is made anew.
fn changed_names(body: &[Stmt]) -> HashSet<&str> {
    let mut bound = HashSet::new();
    let mut changed = HashSet::new();
    every_stmt(body, &mut |stmt| {
        let mut target = |target| note_target(target, &mut bound, &mut changed);
        match stmt {
            Stmt::Assign(node) => node.targets.iter().for_each(target),
            Stmt::AnnAssign(node) if node.value.is_some() => target(&node.target),
            Stmt::AugAssign(node) => target(&node.target),
            Stmt::Expr(node) => {
                if let Expr::Call(call) = node.value.as_ref()
                    && let Expr::Attribute(method) = call.func.as_ref()
                    && matches!(method.attr.as_str(), "update" | "pop" | "setdefault" | "clear")
                {
                    changed.extend(last_name(&method.value));
                }
            }
            _ => {}
        }
    });
    changed
}

fn note_target<'a>(target: &'a Expr, bound: &mut HashSet<&'a str>, changed: &mut HashSet<&'a str>) {
    let Some(name) = last_name(target).filter(|name| is_weight_name(name)) else { return };
    if target.is_subscript_expr() || !bound.insert(name) {
        changed.insert(name);
    }
}

/// What the weights of a table add up to, when they are all summed, the sums are not divided, and they nearly make a whole.
fn unbalanced_total(table: &WeightTable, sums: &[WeightedSum]) -> Option<f64> {
    let values = table.values()?;
    let total = nearly_whole(&values)?;
    let is_entry = |name: &&str| table.entries.iter().any(|(entry, _)| entry == name);
    // Constants that share their word are their own source.
    let is_of_table = |source: &&str| *source == table.name || is_entry(source);
    let uses: Vec<&WeightedSum> = sums.iter().filter(|sum| sum.sources.iter().any(&is_of_table)).collect();
    let whole = |sum: &&WeightedSum| {
        let entries: HashSet<&str> = sum.keys.iter().copied().filter(|key| is_entry(key)).collect();
        let all = sum.keys.is_empty() && sum.sources == [table.name] || entries.len() == table.entries.len();
        all && !sum.divided && !sum.optional && sum.sources.iter().all(&is_of_table)
    };
    (!uses.is_empty() && uses.iter().all(whole)).then_some(total)
}

/// The sum of positive numbers that is near to 1 or to 100 and neither; rounded, so that it reads as the numbers do.
fn nearly_whole(values: &[f64]) -> Option<f64> {
    let total: f64 = values.iter().sum();
    let total = (total * 10_000.0).round() / 10_000.0;
    if values.iter().any(|value| *value <= 0.0) {
        return None;
    }
    let fractions = values.iter().all(|value| *value < 1.0) && (0.7..=1.4).contains(&total);
    let percents = values.iter().all(|value| *value >= 1.0) && (80.0..=120.0).contains(&total);
    let off = fractions && (total - 1.0).abs() > 0.001 || percents && (total - 100.0).abs() > 0.001;
    off.then_some(total)
}

/// The calls that add weights up by themselves, or make them add up.
fn totals_of_weights<'a>(view: &View<'a>, scopes: &[&[Stmt]]) -> Vec<&'a str> {
    let mut totals = Vec::new();
    for scope in scopes.iter().copied() {
        every_scope_expr(scope, &mut |expr| {
            let Expr::Call(call) = expr else { return };
            let words = last_name(&call.func).map(split_identifier_words).unwrap_or_default();
            let evens = words.iter().any(|word| word.starts_with("normal") || word == "softmax" || word == "average");
            let adds = words.last().is_some_and(|word| matches!(word.as_str(), "sum" | "fsum" | "nansum"));
            if evens || adds && !call.arguments.args.iter().any(has_product) {
                totals.push(view.lines.slice(call.range()));
            }
        });
    }
    totals
}

/// True for what multiplies, in a generator or by itself.
fn has_product(expr: &Expr) -> bool {
    match expr {
        Expr::Generator(node) => has_product(&node.elt),
        Expr::ListComp(node) => has_product(&node.elt),
        Expr::BinOp(node) => node.op == ruff_python_ast::Operator::Mult,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{found, lines_of};
    use super::*;

    const SUM: &str = "t = sum(w * x[k] for k, w in WEIGHTS.items())\n";

    #[rstest::rstest]
    #[case("WEIGHTS = {'a': 0.5, 'b': 0.3, 'c': 0.1}\n", &[1])]
    #[case("WEIGHTS = {'a': 50, 'b': 30, 'c': 10}\n", &[1])]
    #[case("WEIGHTS = {'a': 0.5, 'b': 0.3, 'c': 0.2}\n", &[])]
    #[case("WEIGHTS = {'a': 0.3333, 'b': 0.3333, 'c': 0.3333}\n", &[])]
    #[case("WEIGHTS = {'a': 50, 'b': 30, 'c': 20}\n", &[])]
    // Points, penalties and reliabilities need no whole.
    #[case("WEIGHTS = {'a': 3, 'b': 2, 'c': 1}\n", &[])]
    #[case("WEIGHTS = {'a': 0.7, 'b': 0.5, 'c': -0.3}\n", &[])]
    #[case("WEIGHTS = {'a': 0.9, 'b': 0.9, 'c': 0.8}\n", &[])]
    // Changed, or made to add up.
    #[case("WEIGHTS = {'a': 0.5, 'b': 0.4}\nWEIGHTS['c'] = 0.1\n", &[])]
    #[case("WEIGHTS = {'a': 0.5, 'b': 0.4}\nWEIGHTS.update(more)\n", &[])]
    #[case("WEIGHTS = {'a': 0.5, 'b': 0.4}\nassert sum(WEIGHTS.values()) == 0.9\n", &[])]
    #[case("WEIGHTS = {'a': 0.5, 'b': 0.4}\nEVEN = normalize(WEIGHTS)\n", &[])]
    fn tables(#[case] table: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_unbalanced_weights, &format!("{table}{SUM}")), expected);
    }

    #[rstest::rstest]
    #[case("t = WEIGHTS['a'] * a + WEIGHTS['b'] * b\n", &[1])]
    #[case("t = 0\nfor k, w in WEIGHTS.items():\n    t += x[k] * w\n", &[1])]
    #[case("t = sum(WEIGHTS[k] * v for k, v in x.items())\n", &[1])]
    // Divided, optional, of a part, not multiplied, not used.
    #[case("t = (WEIGHTS['a'] * a + WEIGHTS['b'] * b) / 0.9\n", &[])]
    #[case("t = 0\nfor k, w in WEIGHTS.items():\n    t += x[k] * w\n    n += w\nt /= n\n", &[])]
    #[case("t = sum(WEIGHTS.get(k, 0) * v for k, v in x.items())\n", &[])]
    #[case("t = WEIGHTS['a'] * a\n", &[])]
    #[case("t = sum(w for k, w in WEIGHTS.items() if k in x)\n", &[])]
    #[case("t = max(WEIGHTS)\n", &[])]
    fn uses(#[case] used: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_unbalanced_weights, &format!("WEIGHTS = {{'a': 0.5, 'b': 0.4}}\n{used}")), expected);
    }

    #[test]
    fn constants_and_fields_are_tables_too() {
        let constants = "A_WEIGHT = 0.4\nB_WEIGHT = 0.5\nt = A_WEIGHT * a + B_WEIGHT * b\n";
        assert_eq!(lines_of(check_unbalanced_weights, constants), [1]);
        assert_eq!(lines_of(check_unbalanced_weights, &constants.replace("0.5", "0.6")), [0; 0]);
        let fields = "class Weights:\n    a: float = 0.4\n    b: float = 0.5\nt = weights.a * a + weights.b * b\n";
        assert_eq!(lines_of(check_unbalanced_weights, fields), [0; 0], "a class is filled by whoever makes it");
    }

    #[test]
    fn the_total_is_told() {
        let text = format!("WEIGHTS = {{'a': 0.1, 'b': 0.2, 'c': 0.5}}\n{SUM}");
        assert_eq!(
            found(check_unbalanced_weights, &text)[0].message,
            "the weights of `WEIGHTS` add up to 0.8, not to 1"
        );
    }
}
