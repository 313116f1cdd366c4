//! Writers that never fail, and writers that keep their failure until they are asked.

use tapps_syntax::nodes::Node;

use super::calls::arguments_of;
use super::context::GoContext;
use super::scopes::{assigned_value, declared_type};
use crate::tree::nodes::{children_of_kind, field};

/// True for a call that is given a buffer in memory, a hash, or a writer that keeps its first error until it is flushed.
pub(super) fn writes_to_buffer<'c>(context: &GoContext<'c>, call: Node<'c>) -> bool {
    // What is read from a buffer may end too early.
    let reads = field(call, "function").is_some_and(|it| context.text(it).ends_with("Read"));
    !reads && arguments_of(call).into_iter().any(|argument| is_memory(context, argument))
}

fn is_memory<'c>(context: &GoContext<'c>, argument: Node<'c>) -> bool {
    let name = if argument.kind() == "unary_expression" { field(argument, "operand") } else { Some(argument) };
    if name.is_some_and(|name| name.kind() == "selector_expression") {
        return name.and_then(|name| field(name, "field")).is_some_and(|name| is_buffer_field(context, name));
    }
    let Some(name) = name.filter(|name| name.kind() == "identifier") else { return false };
    let is_new = |value: Node<'c>| {
        let text = context.text(value);
        is_new_hash(context, value)
            || keeps_error(context, value)
            || ["bytes.NewBuffer", "bufio.NewWriter"].iter().any(|maker| text.starts_with(maker))
            || BUFFERS.iter().any(|of| text == format!("new({of})") || text == format!("&{of}{{}}"))
    };
    let of = declared_type(context, name).map(|of| of.trim_start_matches('*'));
    of.is_some_and(|of| BUFFERS.contains(&of)) || assigned_value(context, name).is_some_and(is_new)
}

/// True for a new value of a type of the file with a field for an error: it keeps the first one, and is asked for it at the end.
fn keeps_error(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let literal = if value.kind() == "unary_expression" { field(value, "operand") } else { Some(value) };
    let of = literal.filter(|it| it.kind() == "composite_literal").and_then(|it| field(it, "type"));
    let Some(name) = of.map(|of| context.text(of)) else { return false };
    let mut declared = context.tree().all_nodes().filter(|at| at.kind() == "type_spec");
    declared.any(|at| {
        let mut fields = context.tree().subtree_of(at).filter(|part| part.kind() == "field_declaration");
        field(at, "name").is_some_and(|it| context.text(it) == name)
            && fields.any(|part| field(part, "type").is_some_and(|of| context.text(of) == "error"))
    })
}

/// True for a field that the file declares as a buffer.
fn is_buffer_field(context: &GoContext<'_>, name: Node<'_>) -> bool {
    let mut fields = context.tree().all_nodes().filter(|at| at.kind() == "field_declaration");
    fields.any(|declared| {
        field(declared, "type").is_some_and(|of| BUFFERS.contains(&context.text(of).trim_start_matches('*')))
            && children_of_kind(declared, "field_identifier").any(|it| context.text(it) == context.text(name))
    })
}

/// Types of texts in memory.
const BUFFERS: &[&str] = &["bytes.Buffer", "strings.Builder"];

/// `sha256.New()`, `hash.New()`.
fn is_new_hash(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let function = (value.kind() == "call_expression").then(|| field(value, "function")).flatten();
    function.is_some_and(|function| context.text(function).ends_with(".New") || context.text(function) == "hash")
}
