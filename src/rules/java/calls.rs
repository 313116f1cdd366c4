//! What a call calls, and with what.

use tapps_syntax::nodes::Node;

use super::context::JavaContext;
use super::scopes::{declared_type, is_constant};
use crate::tree::nodes::{field, named_children, operator_of, without_parentheses};

/// The receiver, if one is written, and the name of the method that a call calls.
pub(crate) fn called_method<'c>(context: &JavaContext<'c>, node: Node<'c>) -> Option<(Option<Node<'c>>, &'c str)> {
    (node.kind() == "method_invocation").then_some(())?;
    Some((field(node, "object"), context.text(field(node, "name")?)))
}

/// True for a call of one of some methods of a class by its name: `Files.walk(…)`.
pub(crate) fn is_static_call(context: &JavaContext<'_>, node: Node<'_>, class: &str, names: &[&str]) -> bool {
    let part = |name: &str| field(node, name).map_or("", |part| context.text(part));
    node.kind() == "method_invocation" && simple_type(part("object")) == class && names.contains(&part("name"))
}

/// The arguments of a call or of the making of an object.
pub(crate) fn arguments_of(call: Node<'_>) -> Vec<Node<'_>> {
    field(call, "arguments").map(|list| named_children(list).collect()).unwrap_or_default()
}

/// The class of an object that is made: its last name, without type arguments.
pub(crate) fn created_type<'c>(context: &JavaContext<'c>, node: Node<'_>) -> Option<&'c str> {
    (node.kind() == "object_creation_expression").then_some(())?;
    field(node, "type").map(|of| simple_type(context.text(of)))
}

/// The last name of a type, without type arguments and dimensions.
pub(crate) fn simple_type(text: &str) -> &str {
    let plain = text.split(['<', '[']).next().unwrap_or(text).trim();
    plain.rsplit('.').next().unwrap_or(plain)
}

/// The text of a literal, as it is written between its quotes.
pub(crate) fn string_text<'c>(context: &JavaContext<'c>, node: Node<'_>) -> Option<&'c str> {
    let text = (node.kind() == "string_literal").then(|| context.text(node))?;
    let inner = text.strip_prefix("\"\"\"").and_then(|rest| rest.strip_suffix("\"\"\""));
    Some(inner.unwrap_or_else(|| text.get(1..text.len().saturating_sub(1)).unwrap_or_default()))
}

/// The parts of a text that is put together by `+` or `String.format`; none for any other expression.
pub(crate) fn composed_parts<'c>(context: &JavaContext<'c>, node: Node<'c>) -> Option<Vec<Node<'c>>> {
    let node = without_parentheses(node);
    if is_static_call(context, node, "String", &["format"]) {
        return Some(arguments_of(node));
    }
    let is_sum = |at: Node<'_>| at.kind() == "binary_expression" && operator_of(at) == Some("+");
    if !is_sum(node) {
        return None;
    }
    let mut parts = Vec::new();
    let mut at = node;
    while is_sum(at) {
        parts.extend(field(at, "right"));
        match field(at, "left") {
            Some(left) => at = without_parentheses(left),
            None => break,
        }
    }
    parts.push(at);
    parts.reverse();
    Some(parts)
}

/// True for an expression that may be any text: neither constant nor surely a number.
pub(crate) fn is_open_text(context: &JavaContext<'_>, node: Node<'_>) -> bool {
    const NUMBERS: &[&str] = &[
        "int", "long", "short", "byte", "double", "float", "boolean", "Integer", "Long", "Short", "Double", "Boolean",
        "UUID",
    ];
    let node = without_parentheses(node);
    let is_number = node.kind() == "identifier" && declared_type(context, node).is_some_and(|of| NUMBERS.contains(&of))
        || node.kind() == "method_invocation"
            && field(node, "name").is_some_and(|name| matches!(context.text(name), "size" | "length" | "ordinal"))
        || node.kind() == "field_access" && context.text(node).ends_with(".length");
    !is_number && !is_constant(context, node)
}
