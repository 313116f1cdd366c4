//! Whether what a file itself declares can fail, and whether anybody there looks.

use tapps_syntax::nodes::Node;

use super::calls::arguments_of;
use super::context::GoContext;
use super::scopes::{declared_type, names_on_left};
use crate::tree::nodes::{children_of_kind, field, named_children};

/// True for a function that says `nil` wherever it returns: it has an error among its results for others to fit in.
pub(super) fn never_fails(context: &GoContext<'_>, function: Node<'_>) -> bool {
    // One that ends in a panic has no return at all.
    let values = returned_errors(context, function);
    !values.is_empty() && values.iter().all(|value| *value == "nil")
}

/// True for a function that makes an error wherever it returns, and does something else before: it says what is wrong in its own
/// way, and hands it back for those who want it.
pub(super) fn always_fails(context: &GoContext<'_>, function: Node<'_>) -> bool {
    let values = returned_errors(context, function);
    let is_made = |value: &&str| value.starts_with("errors.New(") || value.starts_with("fmt.Errorf(");
    let body = field(function, "body").and_then(|body| children_of_kind(body, "statement_list").next());
    !values.is_empty() && values.iter().all(is_made) && body.is_some_and(|list| named_children(list).count() > 1)
}

/// The texts of what the `return` statements of a function have in the last place.
fn returned_errors<'c>(context: &GoContext<'c>, function: Node<'_>) -> Vec<&'c str> {
    let Some(body) = field(function, "body") else { return Vec::new() };
    let returns = context.tree().own_nodes_of(body).filter(|at| at.kind() == "return_statement");
    let last_value = |at: Node<'_>| {
        let values = named_children(at).find(|list| list.kind() == "expression_list");
        values.and_then(|values| named_children(values).last()).map_or("", |value| context.text(value))
    };
    returns.map(last_value).collect()
}

/// What a caller does with the last result of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Looked,
    Dropped,
}

fn last_result(context: &GoContext<'_>, call: Node<'_>) -> Kept {
    let Some(parent) = context.tree().parent_of(call) else { return Kept::Dropped };
    if matches!(parent.kind(), "expression_statement" | "defer_statement" | "go_statement") {
        return Kept::Dropped;
    }
    let statement = context.tree().parent_of(parent).filter(|_| parent.kind() == "expression_list");
    match statement.and_then(|statement| names_on_left(context, statement).last()) {
        Some("_") => Kept::Dropped,
        _ => Kept::Looked,
    }
}

/// True for a function of the file whose error all of several callers put away: it tells others, and they want what there is.
pub(super) fn is_always_dropped(context: &GoContext<'_>, name: &str) -> bool {
    let calls = context.mentions().calls.get(name);
    calls.is_some_and(|calls| calls.len() > 1 && calls.iter().all(|call| last_result(context, *call) == Kept::Dropped))
}

/// True for a function of the file whose error another caller looks at: there it matters.
pub(super) fn is_looked_at_elsewhere(context: &GoContext<'_>, name: &str) -> bool {
    let calls = context.mentions().calls.get(name);
    calls.is_some_and(|calls| calls.iter().any(|call| last_result(context, *call) == Kept::Looked))
}

/// True for a call that writes an answer to whoever asked over HTTP: when that fails, the other side has gone, and nobody
/// is left to tell.
pub(super) fn answers_request(context: &GoContext<'_>, call: Node<'_>) -> bool {
    arguments_of(call).into_iter().any(|argument| {
        argument.kind() == "identifier" && declared_type(context, argument) == Some("http.ResponseWriter")
    })
}

/// True for a statement of a function that is run when the one around it ends: `defer func() { … }()`.
pub(super) fn runs_at_the_end(context: &GoContext<'_>, statement: Node<'_>) -> bool {
    let mut above = context.tree().ancestors_of(statement).skip_while(|at| !context.tree().is_function(*at)).skip(1);
    let call = above.next();
    call.is_some_and(|call| call.kind() == "call_expression")
        && above.next().is_some_and(|at| at.kind() == "defer_statement")
}
