//! Writers that never fail, and writers that keep their failure until they are asked.

use std::collections::HashSet;

use tapps_syntax::nodes::Node;

use super::calls::{arguments_of, called_member};
use super::context::GoContext;
use super::scopes::{assigned_value, declared_type};
use crate::tree::nodes::{SyntaxTree, children_of_kind, field};

/// True for a call that is given a buffer in memory, a hash, or a writer that keeps its first error until it is flushed.
pub(super) fn writes_to_buffer<'c>(context: &GoContext<'c>, call: Node<'c>) -> bool {
    // What is read from a buffer may end too early.
    let reads = field(call, "function").is_some_and(|it| context.text(it).ends_with("Read"));
    !reads && arguments_of(call).into_iter().any(|argument| is_memory(context, argument))
}

fn is_memory<'c>(context: &GoContext<'c>, argument: Node<'c>) -> bool {
    let name = if argument.kind() == "unary_expression" { field(argument, "operand") } else { Some(argument) };
    if name.is_some_and(|name| name.kind() == "selector_expression") {
        let part = name.and_then(|name| field(name, "field"));
        return part.is_some_and(|part| context.writers().buffers.contains(context.text(part)));
    }
    let Some(name) = name.filter(|name| name.kind() == "identifier") else { return false };
    let is_new = |value: Node<'c>| {
        let text = context.text(value);
        is_new_hash(context, value)
            || is_new_buffer(context, value)
            || keeps_error(context, value)
            || ["bytes.NewBuffer", "bufio.NewWriter"].iter().any(|maker| text.starts_with(maker))
            || BUFFERS.iter().any(|of| text == format!("new({of})") || text == format!("&{of}{{}}"))
    };
    let of = declared_type(context, name).map(|of| of.trim_start_matches('*'));
    of.is_some_and(|of| BUFFERS.contains(&of)) || assigned_value(context, name).is_some_and(is_new)
}

/// True for what a package makes that is called after buffers.
fn is_new_buffer(context: &GoContext<'_>, value: Node<'_>) -> bool {
    called_member(context, value).is_some_and(|(path, name)| {
        let package = path.rsplit('/').next().unwrap_or(path);
        package.starts_with("buf") && package != "bufio" && ["Get", "New"].iter().any(|start| name.starts_with(start))
    })
}

/// True for a new value of a type of the file that keeps its first error.
fn keeps_error(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let literal = if value.kind() == "unary_expression" { field(value, "operand") } else { Some(value) };
    let of = literal.filter(|it| it.kind() == "composite_literal").and_then(|it| field(it, "type"));
    of.is_some_and(|of| context.writers().keeping.contains(context.text(of)))
}

/// What a file declares that is written into. All of it is found in one walk, since many calls ask.
#[derive(Debug, Default)]
pub(super) struct Writers<'c> {
    /// Types with a field for an error: they keep the first one, and are asked for it at the end.
    keeping: HashSet<&'c str>,
    /// Fields that are buffers.
    buffers: HashSet<&'c str>,
}

impl<'c> Writers<'c> {
    pub(super) fn of_file(tree: &SyntaxTree<'c>) -> Self {
        let mut known = Self::default();
        for declared in tree.all_nodes().filter(|at| at.kind() == "field_declaration") {
            match field(declared, "type").map(|of| tree.text_of(of).trim_start_matches('*')) {
                Some("error") => {
                    let holder = tree.ancestors_of(declared).find(|above| above.kind() == "type_spec");
                    known.keeping.extend(holder.and_then(|it| field(it, "name")).map(|name| tree.text_of(name)));
                }
                Some(of) if BUFFERS.contains(&of) => {
                    known.buffers.extend(children_of_kind(declared, "field_identifier").map(|name| tree.text_of(name)));
                }
                _ => {}
            }
        }
        known
    }
}

/// Types of texts in memory, and of hashes, which take whatever they are given.
const BUFFERS: &[&str] = &["bytes.Buffer", "hash.Hash", "hash.Hash32", "hash.Hash64", "strings.Builder"];

/// `sha256.New()`, `hash.New()`, `fnv.New64a()`.
fn is_new_hash(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let function = (value.kind() == "call_expression").then(|| field(value, "function")).flatten();
    function.is_some_and(|function| context.text(function).ends_with(".New") || context.text(function) == "hash")
        || called_member(context, value).is_some_and(|(path, _)| path.starts_with("hash/"))
}
