//! What a call calls, and with what.

use tapps_syntax::nodes::Node;

use super::context::GoContext;
use super::scopes::is_constant_text;
use crate::tree::nodes::{field, named_children, without_parentheses};

/// The package and the name in `package.Name`.
pub(crate) fn package_member<'c>(context: &GoContext<'c>, node: Node<'_>) -> Option<(&'c str, &'c str)> {
    let (operand, name) = match node.kind() {
        "selector_expression" => (field(node, "operand")?, field(node, "field")?),
        "qualified_type" => (field(node, "package")?, field(node, "name")?),
        _ => return None,
    };
    let is_name = matches!(operand.kind(), "identifier" | "package_identifier");
    let path = is_name.then(|| context.imported_path(operand)).flatten()?;
    Some((path, context.text(name)))
}

/// The package and the name of the function that a call calls.
pub(crate) fn called_member<'c>(context: &GoContext<'c>, node: Node<'_>) -> Option<(&'c str, &'c str)> {
    (node.kind() == "call_expression")
        .then(|| field(node, "function"))
        .flatten()
        .and_then(|it| package_member(context, it))
}

/// True for a call of one of some functions of a package.
pub(crate) fn is_call_of(context: &GoContext<'_>, node: Node<'_>, package: &str, names: &[&str]) -> bool {
    called_member(context, node).is_some_and(|(path, name)| path == package && names.contains(&name))
}

/// The receiver and the name in `receiver.Method(…)`.
pub(crate) fn called_method<'c>(context: &GoContext<'c>, node: Node<'c>) -> Option<(Node<'c>, &'c str)> {
    let function = (node.kind() == "call_expression").then(|| field(node, "function")).flatten()?;
    let selects = function.kind() == "selector_expression";
    let receiver = selects.then(|| field(function, "operand")).flatten()?;
    Some((receiver, context.text(field(function, "field")?)))
}

/// True for an address that only programs of the same machine reach: `localhost`, `127.0.0.1:80`.
pub(crate) fn is_of_this_machine(address: &str) -> bool {
    let is_host = |host: &&str| address.strip_prefix(host).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    ["127.0.0.1", "[::1]", "localhost"].iter().any(is_host)
}

/// The arguments of a call.
pub(crate) fn arguments_of(call: Node<'_>) -> Vec<Node<'_>> {
    field(call, "arguments").map(|list| named_children(list).collect()).unwrap_or_default()
}

/// The text of a literal, as it is written between its quotes.
pub(crate) fn string_literal<'c>(context: &GoContext<'c>, node: Node<'_>) -> Option<&'c str> {
    let is_text = matches!(node.kind(), "interpreted_string_literal" | "raw_string_literal");
    let text = context.text(node);
    is_text.then(|| text.get(1..text.len().saturating_sub(1)).unwrap_or_default())
}

/// The parts of a text that is put together by `+` or by `fmt.Sprintf`; none for any other expression.
pub(crate) fn composed_parts<'c>(context: &GoContext<'c>, node: Node<'c>) -> Option<Vec<Node<'c>>> {
    let node = without_parentheses(node);
    if is_call_of(context, node, "fmt", &["Sprintf", "Sprint", "Sprintln", "Appendf"]) {
        return Some(arguments_of(node));
    }
    let is_sum =
        |at: Node<'_>| at.kind() == "binary_expression" && field(at, "operator").is_some_and(|it| it.kind() == "+");
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

/// True for a text that is put together from something that may be anything.
pub(crate) fn is_composed_of_values(context: &GoContext<'_>, parts: &[Node<'_>]) -> bool {
    parts.iter().any(|part| !is_constant_text(context, *part) && !is_number(context, *part))
}

/// True for an expression that surely is a number.
fn is_number(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let counts = |node: Node<'_>| {
        let function = (node.kind() == "call_expression").then(|| field(node, "function")).flatten();
        function.is_some_and(|it| matches!(context.text(it), "len" | "int" | "int64" | "uint" | "strconv.Itoa" | "cap"))
    };
    let is_declared_number = node.kind() == "identifier"
        && super::scopes::declared_type(context, node).is_some_and(|of| {
            matches!(of, "int" | "int32" | "int64" | "uint" | "uint32" | "uint64" | "float64" | "bool")
        });
    counts(node) || is_declared_number
}

/// The value of a key in a literal of a struct.
pub(crate) fn keyed_value<'c>(context: &GoContext<'c>, literal: Node<'c>, key: &str) -> Option<Node<'c>> {
    let body = field(literal, "body")?;
    let element = named_children(body).find(|element| {
        element.kind() == "keyed_element" && field(*element, "key").is_some_and(|it| context.text(it) == key)
    })?;
    let value = field(element, "value")?;
    if value.kind() == "literal_element" { named_children(value).next() } else { Some(value) }
}
