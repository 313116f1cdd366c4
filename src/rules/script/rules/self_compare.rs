//! A value compared with itself.

use super::prelude::*;
use oxc_syntax::operator::BinaryOperator;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "self-compare",
    aliases: &["eslint:no-self-compare"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "The result is always the same, so one side is probably misspelt.",
    help: "compare with the value that was meant",
    explanation: "A value compared with itself gives the same result always, so one of the two names is probably \
        misspelt. To ask for NaN there is `Number.isNaN`, which says so.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const isNewer = (left: number, right: number) => left > left && right > 0;
",
        good: "export const isNewer = (left: number, right: number) => left > right && right > 0;
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_self_compare);

fn check_self_compare<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::BinaryExpression(binary) = node.kind() else { return };
    let is_order = matches!(
        binary.operator,
        BinaryOperator::LessThan | BinaryOperator::LessEqualThan | BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan
    );
    // `x !== x` is how NaN is found, and `x === x` how it is ruled out; between members that is not usual.
    let is_equality = matches!(binary.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality)
        && binary.left.get_member_expr().is_some();
    if !(is_order || is_equality) || !is_pure(&binary.left) || !is_pure(&binary.right) {
        return;
    }
    if context.text(binary.left.span()) == context.text(binary.right.span()) {
        out.push(context.report(&RULE, binary.span, "both sides of the comparison are the same"));
    }
}

fn is_pure(side: &Expression<'_>) -> bool {
    match side {
        Expression::Identifier(_) | Expression::ThisExpression(_) => true,
        Expression::StaticMemberExpression(member) => is_pure(&member.object),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn same_on_both_sides() {
        assert_one_finding_each(&RULE, "a.js", &["if (a.length === a.length) f()", "x = a < a", "x = this.n >= this.n"]);
    }

    #[test]
    fn different_sides_and_nan() {
        assert_no_findings(&RULE, "a.js", &["if (a.length === b.length) f()", "x = n !== n", "x = n === n", "x = f() < f()", "x = a[i++] < a[i++]"]);
    }
}
