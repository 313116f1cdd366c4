//! Decimal numbers that begin inexact.

use super::prelude::*;
use crate::java::calls::{arguments_of, created_type};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "inexact-decimal",
    aliases: &["spotbugs:DMI_BIGDECIMAL_CONSTRUCTED_FROM_DOUBLE", "pmd:AvoidDecimalLiteralsInBigDecimalConstructor", "sonar:S2111", "errorprone:BigDecimalLiteralDouble"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "The number is rounded to a binary fraction before it becomes a decimal.",
    help: "Write `new BigDecimal(\"0.1\")` or `BigDecimal.valueOf(0.1)`.",
    explanation: "`0.1` is no binary fraction, so `new BigDecimal(0.1)` is 0.1000000000000000055511151231257827. \
        Give the digits as a text, or use `BigDecimal.valueOf`.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.math.BigDecimal;

class Tax {
    BigDecimal rate = new BigDecimal(0.19);
}
"#,
        good: r#"import java.math.BigDecimal;

class Tax {
    BigDecimal rate = new BigDecimal("0.19");
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["object_creation_expression"], check_inexact_decimal);

fn check_inexact_decimal<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let first = arguments_of(node).first().copied().filter(|_| created_type(context, node) == Some("BigDecimal"));
    let is_fraction = first.is_some_and(|first| first.kind() == "decimal_floating_point_literal" && !context.text(first).trim_end_matches(['d', 'D']).ends_with(".0"));
    if is_fraction && !context.is_test_file() {
        out.push(context.report(&RULE, node, "this is not the number that is written"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f() { return new java.math.BigDecimal(1.1, c); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f() { return new BigDecimal(\"1.1\"); }",
            "Object f() { return new BigDecimal(10); }",
            "Object f(double a) { return new BigDecimal(a); }",
        ]);
    }
}
