//! Conditions that are always true or always false.

use super::prelude::*;
use crate::script::expressions::without_casts;
use oxc_syntax::operator::UnaryOperator;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "constant-condition",
    aliases: &["eslint:no-constant-condition"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 400,
    blocking: false,
    summary: "One of the branches can never be taken.",
    help: "remove the condition, or write the comparison that was meant",
    explanation: "A condition that always has the same value leaves one branch dead. Usually an `=` stands where `===` \
        was meant, or a switch was left over from a search for a mistake. Write the comparison that was meant or \
        remove the condition; `while (true)` as an endless loop is fine.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function discount(price: number): number {
  if (false) {
    return price * 0.9;
  }
  return price;
}
",
        good: "export function discount(price: number, isMember: boolean): number {
  if (isMember) {
    return price * 0.9;
  }
  return price;
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_constant_condition);

fn check_constant_condition<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let test = match node.kind() {
        AstKind::IfStatement(branch) => &branch.test,
        AstKind::ConditionalExpression(choice) => &choice.test,
        // `while (true)` is how an endless loop is written.
        AstKind::WhileStatement(repeat) if !is_true(&repeat.test) => &repeat.test,
        _ => return,
    };
    if is_fixed(test) {
        out.push(context.report(&RULE, test.span(), "this condition never changes"));
    }
}

fn is_true(test: &Expression<'_>) -> bool {
    match without_casts(test) {
        Expression::BooleanLiteral(literal) => literal.value,
        Expression::NumericLiteral(literal) => literal.value != 0.0,
        Expression::UnaryExpression(unary) => unary.operator == UnaryOperator::LogicalNot && unary.argument.is_number_0(),
        _ => false,
    }
}

fn is_fixed(test: &Expression<'_>) -> bool {
    match without_casts(test) {
        Expression::BooleanLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::RegExpLiteral(_)
        | Expression::ArrayExpression(_)
        | Expression::ObjectExpression(_)
        | Expression::ArrowFunctionExpression(_)
        | Expression::FunctionExpression(_) => true,
        Expression::UnaryExpression(unary) => unary.operator == UnaryOperator::LogicalNot && is_fixed(&unary.argument),
        Expression::AssignmentExpression(assignment) => assignment.operator.is_assign() && is_fixed(&assignment.right),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn fixed_conditions() {
        assert_one_finding_each(&RULE, "a.js", &["if (true) f()", "if (a = 5) f()", "const x = 'a' ? 1 : 2", "while (false) f()", "if (!{}) f()", "if ([]) f()"]);
    }

    #[test]
    fn real_conditions_and_endless_loops() {
        assert_no_findings(&RULE, "a.js", &["if (a) f()", "while (true) { f() }", "for (;;) f()", "while (1) f()", "do { f() } while (false)", "if (a = f()) g()", "if (-1 < a) f()"]);
    }
}
