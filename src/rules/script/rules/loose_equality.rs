//! `==` and `!=`, which convert before they compare.

use super::prelude::*;
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "loose-equality",
    aliases: &["eslint:eqeqeq"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "Conversion makes values equal that are not the same, such as `0`, `''` and `[]`.",
    help: "use `===` or `!==`; `== null` is fine where null and undefined are both meant",
    explanation: "`==` converts its sides first, by rules that hardly anybody knows by heart: `0 == \"\"` and `[] == \
        false` hold. `===` compares what is there. `== null` is not reported, since it is the short way to ask for \
        null and undefined at once.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const isEmpty = (value: unknown) => value == 0;
",
        good: "export const isEmpty = (value: unknown) => value === 0;
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_loose_equality);

fn check_loose_equality<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::BinaryExpression(binary) = node.kind() else { return };
    let strict = match binary.operator {
        BinaryOperator::Equality => "===",
        BinaryOperator::Inequality => "!==",
        _ => return,
    };
    let sides = [&binary.left, &binary.right];
    let is_null = sides.iter().any(|side| side.is_null_or_undefined());
    let is_typeof = sides.iter().any(|side| matches!(side, Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof));
    let both_written = sides.iter().all(|side| side.is_literal());
    if !(is_null || is_typeof || both_written) {
        out.push(context.report(&RULE, binary.span, format!("the comparison converts its sides; `{strict}` does not")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn converting_comparisons() {
        assert_one_finding_each(&RULE, "a.js", &["if (a == 1) f()", "if (a != b) f()"]);
    }

    #[test]
    fn comparisons_that_convert_nothing() {
        assert_no_findings(&RULE, "a.js", &["if (a === 1) f()", "if (a == null) f()", "if (typeof a == 'string') f()", "if (undefined != a) f()", "x = void 0 == a"]);
    }

    #[test]
    fn many_cost_no_more_than_a_habit_may() {
        let told = findings(&RULE, "a.js", &"f(a == 1);\n".repeat(50));
        assert_eq!((told.len(), told.iter().map(|finding| finding.cost).sum::<u32>()), (50, 2_000));
    }
}
