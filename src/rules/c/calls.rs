//! What a call calls, and with what.

use tapps_syntax::nodes::Node;

use super::context::CContext;
use crate::tree::nodes::{field, named_children, without_parentheses};

/// The name of the function that a call calls: `std::system` is `system`, a method has its own name.
pub(crate) fn called_function<'c>(context: &CContext<'c>, node: Node<'c>) -> Option<&'c str> {
    let function = (node.kind() == "call_expression").then(|| field(node, "function")).flatten()?;
    match function.kind() {
        "identifier" => Some(context.text(function)),
        "qualified_identifier" => context.text(function).rsplit("::").next().map(str::trim),
        "field_expression" => field(function, "field").map(|name| context.text(name)),
        _ => None,
    }
}

/// True for a call of one of some functions of a library, which are no methods.
pub(crate) fn is_library_call(context: &CContext<'_>, node: Node<'_>, names: &[&str]) -> bool {
    let Some(function) = (node.kind() == "call_expression").then(|| field(node, "function")).flatten() else {
        return false;
    };
    let text = context.text(function);
    let plain = text.strip_prefix("std::").or_else(|| text.strip_prefix("::")).unwrap_or(text);
    names.contains(&plain)
}

/// The arguments of a call.
pub(crate) fn arguments_of(call: Node<'_>) -> Vec<Node<'_>> {
    field(call, "arguments").map(|list| named_children(list).collect()).unwrap_or_default()
}

/// True for a text that stands in the source, also one that is put together from several.
pub(crate) fn is_literal_text(node: Node<'_>) -> bool {
    matches!(without_parentheses(node).kind(), "string_literal" | "concatenated_string" | "raw_string_literal")
}

/// The expression without casts and parentheses around it.
pub(crate) fn without_casts(node: Node<'_>) -> Node<'_> {
    let mut at = without_parentheses(node);
    while at.kind() == "cast_expression" {
        match field(at, "value") {
            Some(value) => at = without_parentheses(value),
            None => break,
        }
    }
    at
}

/// `MAX_SIZE`: so constants and macros are called.
pub(crate) fn is_constant_name(name: &str) -> bool {
    name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The value of a whole number as it is written.
pub(crate) fn number_of(context: &CContext<'_>, node: Node<'_>) -> Option<u64> {
    let text = (node.kind() == "number_literal").then(|| context.text(node))?;
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']).replace('\'', "");
    match (digits.strip_prefix("0x").or(digits.strip_prefix("0X")), digits.strip_prefix('0')) {
        (Some(hexadecimal), _) => u64::from_str_radix(hexadecimal, 16).ok(),
        (None, Some(octal)) if !octal.is_empty() => u64::from_str_radix(octal, 8).ok(),
        _ => digits.parse().ok(),
    }
}

/// True for a place that follows a pointer: reads or writes what it points to, gives that back, or hands the pointer to one of
/// some functions.
pub(crate) fn follows_pointer(context: &CContext<'_>, mention: Node<'_>, handed_to: &[&str]) -> bool {
    let Some(parent) = context.tree().parent_of(mention) else { return false };
    let above = context.tree().parent_of(parent);
    match parent.kind() {
        "field_expression" | "subscript_expression" => {
            // `&pointer->part` is an address that is computed.
            let is_address =
                above.is_some_and(|of| of.kind() == "pointer_expression" && context.text(of).starts_with('&'));
            field(parent, "argument").is_some_and(|it| it.id() == mention.id()) && !is_address
        }
        "pointer_expression" => context.text(parent).starts_with('*'),
        "delete_expression" => true,
        "argument_list" => above.is_some_and(|call| is_library_call(context, call, handed_to)),
        _ => false,
    }
}
