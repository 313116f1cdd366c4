//! Numbers that are nearly never equal.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "float-equality",
    aliases: &["clippy:float_cmp"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "A computed number is nearly never equal to one that has no exact form.",
    help: "Compare the difference with a tolerance.",
    explanation: "0.1 has no exact form as a binary number, and what is computed is rounded at every step: `0.1 + \
        0.2 == 0.3` is false. Ask whether the difference is small enough for what the number means. \
        Numbers that have an exact form (0.0, 0.5, 1.0) are left alone: they are often set and asked for \
        as they are.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn is_dime(amount: f64) -> bool {
    amount == 0.1
}
",
        good: "pub fn is_dime(amount: f64) -> bool {
    (amount - 0.1).abs() < 1e-9
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["binary_expression"], check_float_equality);

fn check_float_equality<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !matches!(operator_of(node), Some("==" | "!=")) || context.is_test_code(node) {
        return;
    }
    let is_inexact = |side: &str| {
        let literal = field(node, side).filter(|it| it.kind() == "float_literal").map(|it| context.text(it));
        literal.is_some_and(has_no_exact_form)
    };
    if is_inexact("left") || is_inexact("right") {
        out.push(context.report(&RULE, node, "this number has no exact form"));
    }
}

/// True for a number that no multiple of a small power of two is.
fn has_no_exact_form(literal: &str) -> bool {
    let digits: String = literal.trim_end_matches("f32").trim_end_matches("f64").replace('_', "");
    digits.parse::<f64>().is_ok_and(|value| (value * 1_024.0).fract() != 0.0)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f(a: f64) -> bool { 0.3_f64 != a }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &["fn f(a: f64) -> bool { a == 0.0 || a == 0.5 || a == 100.0 }", "fn f(a: f64) -> bool { a > 0.1 }"],
        );
    }
}
