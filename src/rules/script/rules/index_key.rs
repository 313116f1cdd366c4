//! The position in a list used as a `key`.

use super::prelude::*;
use crate::script::expressions::{Callback, without_casts, identifier_of};
use crate::script::react::{mapped_callback, returned_elements, Element};
use oxc_ast::ast::{JSXAttributeItem, JSXAttributeValue};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "index-key",
    aliases: &["eslint-plugin-react:no-array-index-key"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "A position stays while the items move, so state ends up with the wrong element when the list changes.",
    help: "make the `key` from the item's identity",
    explanation: "A key tells React which element of the next render is the same as before. The position is the same \
        although another item stands there after an insertion or a sort, so state and focus end up with the wrong \
        item. Make the key from what identifies the item.",
    examples: &[Example {
        path: "example.tsx",
        bad: "export const List = ({ items }: Props) => <ul>{items.map((item, index) => <li key={index}>{item.name}</li>)}</ul>;
",
        good: "export const List = ({ items }: Props) => <ul>{items.map((item) => <li key={item.id}>{item.name}</li>)}</ul>;
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_index_key);

fn check_index_key<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    if !context.facts.is_react || is_fixed_list(&call.callee) {
        return;
    }
    let Some(callback) = mapped_callback(call).and_then(Callback::from_expression) else { return };
    let Some(index) = callback.parameter(1).and_then(|parameter| parameter.get_binding_identifier()) else { return };
    for element in returned_elements(context, callback) {
        let Element::Named(element) = element else { continue };
        for item in &element.opening_element.attributes {
            let JSXAttributeItem::Attribute(attribute) = item else { continue };
            let Some(JSXAttributeValue::ExpressionContainer(container)) = &attribute.value else { continue };
            let Some(key) = container.expression.as_expression() else { continue };
            if attribute.is_identifier("key") && is_only(key, &index.name) {
                out.push(context.report(&RULE, attribute.span, "the position in the list is used as `key`"));
            }
        }
    }
}

/// `Array(5).map(…)`, `Array.from({ length: 5 }).map(…)`, `[...].map(…)`: lists that do not move.
fn is_fixed_list(callee: &Expression<'_>) -> bool {
    let Some((object, _)) = crate::script::expressions::member_parts(callee) else { return false };
    match object {
        Expression::ArrayExpression(_) => true,
        Expression::Identifier(name) => name.name == "Array",
        other => crate::script::expressions::call_of(other)
            .is_some_and(|call| is_fixed_list(&call.callee) || call.callee.is_specific_id("Array")),
    }
}

/// The index itself or a text in which nothing else varies.
fn is_only(key: &Expression<'_>, index: &str) -> bool {
    match without_casts(key) {
        Expression::TemplateLiteral(template) => {
            template.expressions.len() == 1 && template.expressions.iter().all(|part| is_only(part, index))
        }
        Expression::BinaryExpression(binary) => {
            let text = |side: &Expression<'_>| side.is_string_literal();
            (text(&binary.left) && is_only(&binary.right, index)) || (text(&binary.right) && is_only(&binary.left, index))
        }
        Expression::CallExpression(call) => {
            let by_name = call.callee.is_specific_id("String") && call.arguments.len() == 1;
            let argument = crate::script::expressions::plain_argument(&call.arguments, 0);
            let by_method = crate::script::expressions::member_parts(&call.callee)
                .is_some_and(|(object, name)| name == "toString" && is_only(object, index));
            by_method || (by_name && argument.is_some_and(|argument| is_only(argument, index)))
        }
        other => identifier_of(other).is_some_and(|name| name.name == index),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn positions_as_keys() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "const a = list.map((x, i) => <li key={i} />)",
                "const a = list.map((x, i) => <li key={`row-${i}`} />)",
                "const a = list.map((x, i) => <li key={String(i)} />)",
            ],
        );
    }

    #[test]
    fn identities_and_lists_that_do_not_move() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "const a = list.map((x, i) => <li key={x.id} />)",
                "const a = list.map((x, i) => <li key={`${x.id}-${i}`} />)",
                "const a = [1, 2].map((x, i) => <li key={i} />)",
                "const a = Array.from({ length: 5 }).map((_, i) => <li key={i} />)",
            ],
        );
    }
}
