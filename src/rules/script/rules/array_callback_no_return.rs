//! Array methods whose callback gives nothing back.

use super::prelude::*;
use crate::script::expressions::{Callback, plain_argument, member_parts};
use crate::script::react::returned_values;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "array-callback-no-return",
    aliases: &["eslint:array-callback-return"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "`map`, `filter` and their kin use what the callback returns; without it every element becomes `undefined`.",
    help: "return the value, or use `forEach` where only the effect matters",
    explanation: "`map`, `filter`, `find` and their kin make something from what the callback returns. A callback with \
        a block body and no `return` gives `undefined` for every element: `map` returns a list of nothing and `filter` \
        an empty one. Return the value, or say with `forEach` that only the effect counts.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const names = (users: User[]) =>
  users.map((user) => {
    user.name.trim();
  });
",
        good: "export const names = (users: User[]) => users.map((user) => user.name.trim());
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_array_callback_no_return);

const METHODS: &[&str] = &["every", "filter", "find", "findIndex", "findLast", "flatMap", "map", "reduce", "reduceRight", "some"];

fn check_array_callback_no_return<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    let Some((_, method)) = member_parts(&call.callee) else { return };
    if !METHODS.contains(&method) {
        return;
    }
    let Some(callback) = plain_argument(&call.arguments, 0).and_then(Callback::from_expression) else { return };
    let Some(body) = callback.body() else { return };
    if callback.is_async() || callback.is_generator() || body.statements.is_empty() {
        return;
    }
    let throws = context.own_nodes(callback.node_id()).any(|node| matches!(node.kind(), AstKind::ThrowStatement(_)));
    if returned_values(context, callback).is_empty() && !throws {
        let span = context.span_of(callback.node_id());
        out.push(context.report(&RULE, oxc_span::Span::new(span.start, body.span.start), format!("the callback of `{method}` returns nothing")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn callbacks_without_a_value() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const a = list.map(x => { f(x) })",
                "const a = list.filter(function (x) { x > 1 })",
                "list.reduce((sum, x) => { sum += x }, 0)",
                "list?.some(x => { [x].map(y => { return y }); })",
            ],
        );
    }

    #[test]
    fn callbacks_with_a_value() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "list.map(x => f(x))",
                "list.map(x => { return x })",
                "list.map(async x => { await x })",
                "list.forEach(x => { f(x) })",
                "list.find(x => { throw x })",
                "list.map(() => {})",
                "list.map(f)",
            ],
        );
    }
}
