//! Whether what a file itself declares can fail, and whether anybody there looks.

use std::collections::HashSet;

use tapps_syntax::nodes::Node;

use super::calls::{arguments_of, is_call_of, string_literal};
use super::context::GoContext;
use super::mentions::Mentions;
use super::scopes::declared_type;
use super::verbs::wraps_an_error;
use crate::tree::nodes::{SyntaxTree, children_of_kind, field, named_children};

/// What is known of the errors of a file's own functions. A long file asks of each call: all is found out in one walk.
#[derive(Debug, Default)]
pub(super) struct Failures<'c> {
    /// Functions that say `nil` wherever they return: they have an error among their results for others to fit in.
    never: HashSet<&'c str>,
    /// Functions that make an error wherever they return, and do something else before: they say what is wrong in their own
    /// way, and hand it back for those who want it.
    always: HashSet<&'c str>,
    /// Functions of which at least as many callers look at the error as put it away: there it matters.
    looked_at: HashSet<&'c str>,
    /// Functions whose error most of several callers put away: they tell others, and the callers want what there is.
    dropped: HashSet<&'c str>,
}

impl<'c> Failures<'c> {
    pub(super) fn of_file(tree: &SyntaxTree<'c>, mentions: &Mentions<'c>) -> Self {
        let mut known = Self::default();
        for (name, function) in &mentions.functions {
            let Some(body) = field(*function, "body") else { continue };
            let values = returned_errors(tree, body);
            let is_made = |value: &&str| value.starts_with("errors.New(") || value.starts_with("fmt.Errorf(");
            let does_more = || {
                let list = children_of_kind(body, "statement_list").next();
                list.is_some_and(|list| named_children(list).nth(1).is_some())
            };
            // One that ends in a panic has no return at all.
            if values.is_empty() {
                continue;
            }
            if values.iter().all(|value| *value == "nil") {
                known.never.insert(name);
            } else if values.iter().all(is_made) && does_more() {
                known.always.insert(name);
            }
        }
        for (name, calls) in &mentions.calls {
            let dropping = calls.iter().filter(|call| drops_last_result(tree, **call)).count();
            if dropping <= calls.len() - dropping {
                known.looked_at.insert(name);
            } else if dropping > 1 {
                known.dropped.insert(name);
            }
        }
        known
    }

    /// False for a function that never fails, or does nothing else.
    pub(super) fn may_fail(&self, name: &str) -> bool {
        !self.never.contains(name) && !self.always.contains(name)
    }

    /// True for a function whose error most of several callers put away.
    pub(super) fn is_always_dropped(&self, name: &str) -> bool {
        self.dropped.contains(name)
    }

    /// True for a function whose error callers mostly look at.
    pub(super) fn is_looked_at(&self, name: &str) -> bool {
        self.looked_at.contains(name)
    }
}

/// The texts of what the `return` statements of a function have in the last place.
fn returned_errors<'c>(tree: &SyntaxTree<'c>, body: Node<'_>) -> Vec<&'c str> {
    let returns = tree.own_nodes_of(body).filter(|at| at.kind() == "return_statement");
    let last_value = |at: Node<'_>| {
        let values = named_children(at).find(|list| list.kind() == "expression_list");
        values.and_then(|values| named_children(values).last()).map_or("", |value| tree.text_of(value))
    };
    returns.map(last_value).collect()
}

/// True where nobody takes the last result of a call, or `_` does.
fn drops_last_result(tree: &SyntaxTree<'_>, call: Node<'_>) -> bool {
    let Some(parent) = tree.parent_of(call) else { return true };
    if matches!(parent.kind(), "expression_statement" | "defer_statement" | "go_statement") {
        return true;
    }
    let statement = tree.parent_of(parent).filter(|_| parent.kind() == "expression_list");
    let left = statement.and_then(|statement| field(statement, "left"));
    left.and_then(|left| named_children(left).last()).is_some_and(|last| tree.text_of(last) == "_")
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

/// One of so many errors that are put into a text is wrapped, where that is the custom.
const CUSTOM: usize = 2;

/// True for a file that wraps errors. Where most are not, the text alone is kept by custom.
pub(super) fn wraps_errors(context: &GoContext<'_>) -> bool {
    let calls = context.tree().all_nodes().filter(|node| is_call_of(context, *node, "fmt", &["Errorf"]));
    let (mut wrapped, mut all) = (0, 0);
    for arguments in calls.map(arguments_of) {
        let Some((form, values)) = arguments.split_first() else { continue };
        let wraps = string_literal(context, *form).is_some_and(wraps_an_error);
        let is_named = |value: &Node<'_>| value.kind() == "identifier" && context.text(*value).ends_with("rr");
        wrapped += usize::from(wraps);
        all += usize::from(wraps || values.iter().any(is_named));
    }
    wrapped > 0 && wrapped * CUSTOM >= all
}
