//! List elements without a `key`.

use super::prelude::*;
use crate::script::expressions::Callback;
use crate::script::react::{mapped_callback, returned_elements, Element};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "missing-key",
    aliases: &["eslint-plugin-react:jsx-key"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "Without keys React matches list elements by position, so state ends up with the wrong element.",
    help: "give each element a `key` made from the item's identity",
    explanation: "Elements of a list need a name that stays with the item. Without one React matches them by position \
        and moves the state of one row to another when the list changes; it also warns about it in the console. Give \
        each element a `key` from the identity of its item.",
    examples: &[Example {
        path: "example.tsx",
        bad: "export const List = ({ items }: Props) => <ul>{items.map((item) => <li>{item.name}</li>)}</ul>;
",
        good: "export const List = ({ items }: Props) => <ul>{items.map((item) => <li key={item.id}>{item.name}</li>)}</ul>;
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_missing_key);

fn check_missing_key<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    if !context.facts.is_react {
        return;
    }
    let Some(callback) = mapped_callback(call).and_then(Callback::from_expression) else { return };
    if is_keyed_by_react(context, node) {
        return;
    }
    for element in returned_elements(context, callback) {
        let has_key = match element {
            Element::Fragment(_) => false,
            Element::Named(element) => element.opening_element.attributes.iter().any(|attribute| match attribute {
                oxc_ast::ast::JSXAttributeItem::SpreadAttribute(_) => true,
                oxc_ast::ast::JSXAttributeItem::Attribute(attribute) => attribute.is_identifier("key"),
            }),
        };
        if !has_key {
            out.push(context.report(&RULE, element.span(), "a list element has no `key`"));
        }
    }
}

/// `Children.toArray(list.map(…))` gives keys.
fn is_keyed_by_react(context: &ScriptContext<'_, '_>, node: &AstNode<'_>) -> bool {
    context.ancestors(node.id()).take(3).any(|ancestor| match ancestor.kind() {
        AstKind::CallExpression(call) => {
            crate::script::expressions::member_name(&call.callee).is_some_and(|name| matches!(name, "toArray" | "createElement"))
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn elements_without_a_key() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "const a = list.map(x => <li>{x}</li>)",
                "const a = list.map(x => { if (x) { return <li key={x} /> } return <b /> })",
                "const a = list.map(x => <><li key={x} /></>)",
                "const a = list.map(x => x ? <li key={x} /> : <b />)",
                "const a = Array.from(list, x => <li>{x}</li>)",
            ],
        );
    }

    #[test]
    fn keyed_elements_and_lists_that_need_none() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "const a = list.map(x => <li key={x.id}>{x}</li>)",
                "const a = list.map(x => <li {...x} />)",
                "const a = list.map(x => x.name)",
                "const a = Children.map(children, x => <li>{x}</li>)",
                "const a = React.Children.toArray(list.map(x => <li />))",
                "import { For } from 'solid-js'; const a = list.map(x => <li />)",
                "const a = list.map(x => () => <li />)",
            ],
        );
    }
}
