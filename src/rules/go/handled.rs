//! Whether an error was looked at before, so that there is none.

use tapps_syntax::nodes::Node;

use super::context::GoContext;
use super::scopes::names_on_left;
use crate::tree::nodes::{children_of_kind, field, named_children};
use crate::words::names_in;

/// True where the function left before if there was an error of this name, so that it is nil here: that is
/// another mistake.
pub(super) fn was_handled_before<'c>(context: &GoContext<'c>, name: Node<'c>) -> bool {
    let word = context.text(name);
    let mut inner = name;
    for at in context.tree().ancestors_of(name).take_while(|at| !context.tree().is_function(*at)) {
        if at.kind() == "if_statement" {
            let asked = field(at, "condition").map_or("", |condition| context.text(condition));
            let is_in = |part: &str| field(at, part).is_some_and(|part| part.id() == inner.id());
            if names_in(asked).any(|it| it == word) && !is_in("condition") {
                return is_in("consequence") && asked == format!("{word} == nil")
                    || is_in("alternative") && asked == format!("{word} != nil");
            }
            if field(at, "initializer").is_some_and(|first| sets_name(context, first, word)) {
                return false;
            }
        }
        if at.kind() == "statement_list" {
            let mut before: Vec<Node<'c>> =
                named_children(at).take_while(|statement| statement.start_byte() < inner.start_byte()).collect();
            while let Some(statement) = before.pop() {
                if leaves_with(context, statement, word) {
                    return true;
                }
                if sets_name(context, statement, word) {
                    return false;
                }
            }
        }
        inner = at;
    }
    false
}

/// `if err != nil { return err }`
fn leaves_with(context: &GoContext<'_>, statement: Node<'_>, word: &str) -> bool {
    let asked = field(statement, "condition").map_or("", |condition| context.text(condition));
    let branch = field(statement, "consequence").and_then(|block| children_of_kind(block, "statement_list").next());
    let last = branch.and_then(|list| named_children(list).last()).map_or("", |last| last.kind());
    statement.kind() == "if_statement"
        && field(statement, "initializer").is_none()
        && asked == format!("{word} != nil")
        && matches!(last, "return_statement" | "continue_statement" | "break_statement")
}

/// True for a statement in which a name gets a value.
fn sets_name(context: &GoContext<'_>, statement: Node<'_>, word: &str) -> bool {
    context.tree().subtree_of(statement).any(|at| match at.kind() {
        "assignment_statement" | "short_var_declaration" | "range_clause" => {
            names_on_left(context, at).any(|left| left == word)
        }
        "var_spec" => children_of_kind(at, "identifier").any(|name| context.text(name) == word),
        "unary_expression" => context.text(at) == format!("&{word}"),
        _ => false,
    })
}
