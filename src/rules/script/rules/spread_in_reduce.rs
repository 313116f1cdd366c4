//! An accumulator copied for every element.

use super::prelude::*;
use crate::script::expressions::{Callback, plain_argument, without_casts, identifier_of, member_parts};
use crate::script::react::returned_values;
use oxc_ast::ast::{ArrayExpressionElement, ObjectPropertyKind};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "spread-in-reduce",
    aliases: &["biome:noAccumulatingSpread"],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "Copying the accumulator in each step makes the work grow with the square of the length.",
    help: "change the accumulator in place, or use `Object.fromEntries`, `map` or `flatMap`",
    explanation: "Spreading the accumulator copies everything that was collected so far, in each step: for a thousand \
        elements that are half a million copies. The accumulator belongs to the callback, so it may be changed in \
        place; often `Object.fromEntries`, `map` or `flatMap` says it shorter.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const byId = (users: User[]) => users.reduce((all, user) => ({ ...all, [user.id]: user }), {});
",
        good: "export const byId = (users: User[]) => Object.fromEntries(users.map((user) => [user.id, user]));
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_spread_in_reduce);

fn check_spread_in_reduce<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    let Some((list, "reduce" | "reduceRight")) = member_parts(&call.callee) else { return };
    let Some(callback) = plain_argument(&call.arguments, 0).and_then(Callback::from_expression) else { return };
    let Some(accumulator) = callback.parameter(0).and_then(|parameter| parameter.get_binding_identifier()) else { return };
    if matches!(list, Expression::ArrayExpression(_)) {
        return;
    }
    let values = callback.expression().into_iter().chain(returned_values(context, callback));
    for value in values {
        if copies(value, &accumulator.name) {
            out.push(context.report(&RULE, value.span(), "the accumulator is copied for every element"));
        }
    }
}

/// `{ ...all, … }` or `[...all, …]`, also as a branch of a choice.
fn copies(value: &Expression<'_>, accumulator: &str) -> bool {
    let is_it = |spread: &Expression<'_>| identifier_of(spread).is_some_and(|name| name.name == accumulator);
    match without_casts(value) {
        Expression::ObjectExpression(object) => object.properties.iter().any(|property| {
            matches!(property, ObjectPropertyKind::SpreadProperty(spread) if is_it(&spread.argument))
        }),
        Expression::ArrayExpression(array) => array.elements.iter().any(|element| {
            matches!(element, ArrayExpressionElement::SpreadElement(spread) if is_it(&spread.argument))
        }),
        Expression::ConditionalExpression(choice) => {
            copies(&choice.consequent, accumulator) || copies(&choice.alternate, accumulator)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn copies_in_each_step() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const a = list.reduce((all, x) => ({ ...all, [x.id]: x }), {})",
                "const a = list.reduce((all, x) => { return [...all, x] }, [])",
                "const a = list.reduce((all, x) => x.ok ? [...all, x] : all, [])",
            ],
        );
    }

    #[test]
    fn changes_in_place_and_other_copies() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const a = list.reduce((all, x) => { all[x.id] = x; return all }, {})",
                "const a = list.reduce((all, x) => all + x, 0)",
                "const a = list.reduce((best, x) => ({ ...x }), {})",
                "const a = [f, g].reduce((all, x) => ({ ...all, ...x() }), {})",
            ],
        );
    }
}
