//! Where a name of a function comes from, as far as the text before it tells.

use tapps_syntax::nodes::Node;

use super::context::RustContext;
use crate::tree::nodes::{field, named_children};
use crate::tree::values::{names_outside, values_behind};

/// The nearest `let` before a place, in the functions around it, that gives a value to a name.
pub(crate) fn local_declaration<'c>(context: &RustContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    let function = context.outermost_function(name)?;
    let before = context.tree().subtree_of(function).take_while(|at| at.start_byte() < name.start_byte());
    let declares = |at: &Node<'c>| {
        at.kind() == "let_declaration"
            && at.end_byte() <= name.start_byte()
            && field(*at, "pattern").is_some_and(|pattern| context.text(pattern) == wanted)
    };
    before.filter(declares).last()
}

/// The expression that a name was given before a place, by `let`, or as a constant of the file.
pub(crate) fn assigned_value<'c>(context: &RustContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    let is_constant = |at: &Node<'c>| {
        matches!(at.kind(), "const_item" | "static_item")
            && field(*at, "name").is_some_and(|of| context.text(of) == wanted)
    };
    let declaration = local_declaration(context, name).or_else(|| {
        // By convention only constants are written in capitals.
        let may_be = wanted.chars().all(|sign| !sign.is_lowercase());
        may_be.then(|| context.tree().all_nodes().find(is_constant)).flatten()
    });
    field(declaration?, "value")
}

/// The type that a name is declared with, as it is written: by `let`, or as a parameter of the functions around.
pub(crate) fn declared_type<'c>(context: &RustContext<'c>, name: Node<'_>) -> Option<&'c str> {
    let local = local_declaration(context, name).and_then(|declaration| field(declaration, "type"));
    local.or_else(|| parameter_type(context, name)).map(|of| context.text(of))
}

/// The type of the parameter that has a name, of the nearest function that has one.
fn parameter_type<'c>(context: &RustContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    let functions = context.tree().ancestors_of(name).filter(|at| context.tree().is_function(*at));
    functions.filter_map(|function| field(function, "parameters")).find_map(|list| {
        let of_name = |parameter: Node<'c>| {
            let pattern = field(parameter, "pattern")?;
            let names = context.tree().subtree_of(pattern).filter(|at| at.kind() == "identifier");
            names.into_iter().any(|at| context.text(at) == wanted).then(|| field(parameter, "type")).flatten()
        };
        named_children(list).find_map(of_name)
    })
}

/// An expression and, of names, what they were given: what a value is made from.
pub(crate) fn sources_of<'c>(context: &RustContext<'c>, node: Node<'c>) -> Vec<Node<'c>> {
    values_behind(context, node, |context, name| assigned_value(context, name))
}

/// The names that a value gets: those it is assigned to, the field it fills, the function it is made in.
pub(crate) fn names_around<'c>(context: &RustContext<'c>, node: Node<'_>) -> Vec<&'c str> {
    names_outside(context, node, |at| match at.kind() {
        "let_declaration" => field(at, "pattern"),
        "field_initializer" => field(at, "field"),
        "function_item" | "const_item" | "static_item" | "struct_expression" => field(at, "name"),
        "impl_item" => field(at, "type"),
        _ => None,
    })
}

/// True where the code is run by an executor of futures: in an `async` function or block, and in no closure inside that is
/// none.
pub(crate) fn is_in_async(context: &RustContext<'_>, node: Node<'_>) -> bool {
    let tree = context.tree();
    let around =
        tree.ancestors_of(node).find(|at| matches!(at.kind(), "async_block" | "function_item" | "closure_expression"));
    around.is_some_and(|at| at.kind() == "async_block" || is_async_function(context, at))
}

/// True for `async fn` and `async |…|`.
pub(crate) fn is_async_function(context: &RustContext<'_>, function: Node<'_>) -> bool {
    let head = field(function, "body").map_or(function.end_byte(), |body| body.start_byte());
    let mut words = context.tree().subtree_of(function).take_while(|at| at.start_byte() < head);
    words.any(|word| word.kind() == "async")
}
