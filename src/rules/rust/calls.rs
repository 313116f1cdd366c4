//! What a call calls, and with what.

use tapps_syntax::nodes::Node;

use super::context::RustContext;
use super::macros::{FormattedText, formatted_text, literal_content};
use super::scopes::assigned_value;
use crate::tree::nodes::{field, named_children, without_parentheses};

/// The receiver and the name in `receiver.method(…)`.
pub(crate) fn called_method<'c>(context: &RustContext<'c>, node: Node<'c>) -> Option<(Node<'c>, &'c str)> {
    let mut function = (node.kind() == "call_expression").then(|| field(node, "function")).flatten()?;
    if function.kind() == "generic_function" {
        function = field(function, "function")?;
    }
    let selects = function.kind() == "field_expression";
    let receiver = selects.then(|| field(function, "value")).flatten()?;
    Some((receiver, context.text(field(function, "field")?)))
}

/// The name and the arguments of a call of a method, when it is one of some.
pub(crate) fn is_method_of(context: &RustContext<'_>, node: Node<'_>, names: &[&str]) -> bool {
    let function = (node.kind() == "call_expression").then(|| field(node, "function")).flatten();
    let function =
        function.and_then(|of| if of.kind() == "generic_function" { field(of, "function") } else { Some(of) });
    let name = function.filter(|of| of.kind() == "field_expression").and_then(|of| field(of, "field"));
    name.is_some_and(|name| names.contains(&context.text(name)))
}

/// True for a call of a function whose full path ends with one of some: `Command::new`, `fs::write`.
pub(crate) fn is_call_of(context: &RustContext<'_>, node: Node<'_>, paths: &[&str]) -> bool {
    context.called_path(node).is_some_and(|called| paths.iter().any(|path| ends_path(called, path)))
}

/// True for a path that is another one or ends with it, name by name.
pub(crate) fn ends_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// The arguments of a call.
pub(crate) fn arguments_of(call: Node<'_>) -> Vec<Node<'_>> {
    let list = field(call, "arguments").into_iter().flat_map(named_children);
    list.filter(|child| child.kind() != "attribute_item").collect()
}

/// The expression without borrows, parentheses and conversions around it: `&x.to_string()` is `x`.
pub(crate) fn without_borrows<'c>(context: &RustContext<'c>, node: Node<'c>) -> Node<'c> {
    const CONVERSIONS: &[&str] =
        &["as_bytes", "as_ref", "as_str", "clone", "into", "to_owned", "to_string", "into_bytes"];
    let mut at = node;
    loop {
        at = without_parentheses(at);
        let inner = match at.kind() {
            "reference_expression" => field(at, "value"),
            "unary_expression" if context.text(at).starts_with('*') => named_children(at).next(),
            "call_expression" => match called_method(context, at) {
                Some((receiver, name)) if CONVERSIONS.contains(&name) => Some(receiver),
                Some(_) => None,
                None if is_call_of(context, at, &["String::from", "sqlx::AssertSqlSafe"]) => {
                    arguments_of(at).first().copied()
                }
                None => None,
            },
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => return at,
        }
    }
}

/// The text of a literal, as it is written between its quotes.
pub(crate) fn string_literal<'c>(context: &RustContext<'c>, node: Node<'c>) -> Option<&'c str> {
    let node = without_borrows(context, node);
    let is_text = matches!(node.kind(), "string_literal" | "raw_string_literal");
    is_text.then(|| literal_content(context.text(node))).flatten()
}

/// A text that is put together by `format!` or `+`, also where a name before holds it; none for any other expression.
pub(crate) fn composed_text<'c>(context: &RustContext<'c>, node: Node<'c>) -> Option<FormattedText<'c>> {
    let mut node = without_borrows(context, node);
    if node.kind() == "identifier" {
        node = without_borrows(context, assigned_value(context, node)?);
    }
    if node.kind() != "binary_expression" {
        return formatted_text(context, node).filter(|text| !text.values.is_empty());
    }
    let mut parts = Vec::new();
    let mut at = node;
    while at.kind() == "binary_expression" && field(at, "operator").is_some_and(|it| it.kind() == "+") {
        parts.extend(field(at, "right"));
        at = field(at, "left").map_or(at, |left| without_borrows(context, left));
    }
    parts.push(at);
    let mut text = FormattedText { pieces: vec![String::new()], values: Vec::new() };
    for part in parts.into_iter().rev() {
        match string_literal(context, part) {
            Some(plain) => text.pieces.last_mut().into_iter().for_each(|piece| piece.push_str(plain)),
            None => {
                text.values.push(context.text(without_borrows(context, part)));
                text.pieces.push(String::new());
            }
        }
    }
    let has_text = text.pieces.iter().any(|piece| !piece.is_empty());
    (has_text && !text.values.is_empty()).then_some(text)
}
