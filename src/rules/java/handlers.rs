//! What a `catch` catches, and what becomes of it.

use tapps_syntax::nodes::Node;

use super::context::JavaContext;
use crate::tree::nodes::{children_of_kind, field, named_children};

/// The types that a clause catches, as they are written.
pub(crate) fn caught_types<'c>(context: &JavaContext<'c>, clause: Node<'_>) -> Vec<&'c str> {
    let parameter = children_of_kind(clause, "catch_formal_parameter").next();
    let types = parameter.into_iter().flat_map(|of| children_of_kind(of, "catch_type")).flat_map(named_children);
    types.map(|of| context.text(of)).collect()
}

/// The name of what is caught.
pub(crate) fn caught_name<'c>(context: &JavaContext<'c>, clause: Node<'_>) -> &'c str {
    let parameter = children_of_kind(clause, "catch_formal_parameter").next();
    parameter.and_then(|of| field(of, "name")).map_or("", |name| context.text(name))
}

/// Methods by which a log is written.
const LOGGING: &[&str] = &[
    "debug", "d", "e", "error", "fatal", "fine", "finer", "finest", "info", "i", "log", "print", "printf", "println",
    "severe", "trace", "v", "w", "warn", "warning", "wtf",
];

/// True when a clause throws, or gives what it caught to somebody who may act on it. A log only writes it down.
pub(crate) fn passes_on(context: &JavaContext<'_>, clause: Node<'_>) -> bool {
    let Some(body) = field(clause, "body") else { return false };
    let name = caught_name(context, clause);
    context.tree().subtree_of(body).any(|at| match at.kind() {
        "throw_statement" => true,
        "identifier" if context.text(at) == name => is_given_away(context, at),
        _ => false,
    })
}

fn is_given_away(context: &JavaContext<'_>, at: Node<'_>) -> bool {
    let Some(parent) = context.tree().parent_of(at) else { return false };
    let is = |part: &str| field(parent, part).is_some_and(|it| it.id() == at.id());
    match parent.kind() {
        "argument_list" => {
            let call = context.tree().parent_of(parent);
            let called = call.filter(|call| call.kind() == "method_invocation").and_then(|call| field(call, "name"));
            !called.is_some_and(|called| LOGGING.contains(&context.text(called)))
        }
        "return_statement" | "cast_expression" => true,
        "assignment_expression" => is("right"),
        "variable_declarator" => is("value"),
        _ => false,
    }
}
