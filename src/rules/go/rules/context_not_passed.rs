//! Work that is cut off from the context of its caller.

use super::prelude::*;
use crate::go::calls::is_call_of;
use crate::go::scopes::names_on_left;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "context-not-passed",
    aliases: &["contextcheck:contextcheck"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "A function that was handed a context begins a new one, so cancelling and deadlines end there.",
    help: "Pass the context on that the function was handed.",
    explanation: "A context carries the deadline of a request and the word that nobody waits any more. \
        `context.Background()` in a function that has a context starts anew: what it calls goes on after \
        its caller has gone. Pass the context on; for work that shall outlive the call, \
        `context.WithoutCancel(ctx)` says so.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package store

import "context"

func (s *Store) Load(ctx context.Context, id string) (Row, error) {
	return s.db.Find(context.Background(), id)
}
"#,
        good: r#"package store

import "context"

func (s *Store) Load(ctx context.Context, id string) (Row, error) {
	return s.db.Find(ctx, id)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_context_not_passed);

fn check_context_not_passed<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "context", &["Background", "TODO"]) || context.is_test_file() {
        return;
    }
    // A context that is only compared starts nothing.
    if context.tree().parent_of(node).is_some_and(|parent| parent.kind() == "binary_expression") {
        return;
    }
    // What runs beside or after the call may have to outlive it.
    let mut above = context.tree().ancestors_of(node);
    if above.any(|at| matches!(at.kind(), "go_statement" | "defer_statement") || is_end_of_context(context, at)) {
        return;
    }
    // A comment above says why.
    let said = context.comment_above(node).to_ascii_lowercase();
    if ["context", "ctx", "cancel"].iter().any(|word| said.contains(word)) {
        return;
    }
    let functions = context.tree().ancestors_of(node).filter(|at| context.tree().is_function(*at));
    let Some(handed) = functions.into_iter().find_map(|function| context_parameter(context, function)) else { return };
    let mut assigned = context.tree().ancestors_of(node).filter(|at| at.kind() == "assignment_statement");
    // Where none was handed, a new one takes its place.
    if !assigned.any(|at| names_on_left(context, at).any(|name| name == handed)) {
        out.push(context.report(&RULE, node, format!("`{handed}` is at hand and not passed on")));
    }
}

/// `case <-ctx.Done():`, where the one at hand is over.
fn is_end_of_context(context: &GoContext<'_>, case: Node<'_>) -> bool {
    let awaited = field(case, "communication").map_or("", |it| context.text(it));
    case.kind() == "communication_case" && awaited.ends_with(".Done()")
}

fn context_parameter<'c>(context: &GoContext<'c>, function: Node<'c>) -> Option<&'c str> {
    let list = field(function, "parameters")?;
    let mut parameters = children_of_kind(list, "parameter_declaration");
    let found = parameters.find(|it| field(*it, "type").is_some_and(|of| context.text(of) == "context.Context"))?;
    let name = context.text(field(found, "name")?);
    (name != "_").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"context\"\nfunc f(ctx context.Context) { g(context.TODO()) }",
                "import \"context\"\nfunc f(ctx context.Context) { h(func() { g(context.Background()) }) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"context\"\nfunc f() { g(context.Background()) }",
                "import \"context\"\nfunc f(ctx context.Context) bool { return ctx == context.Background() }",
                "import \"context\"\nfunc f(ctx context.Context) { if ctx == nil { ctx = context.Background() }; g(ctx) }",
                "import \"context\"\nfunc f(ctx context.Context) { go func() { g(context.Background()) }() }",
                "import \"context\"\nfunc f(_ context.Context) { g(context.Background()) }",
                "import \"context\"\nfunc f(ctx context.Context) {\n// One that is cancelled must not stop the others.\ng(context.Background())\n}",
                "import \"context\"\nfunc f(ctx context.Context) { select { case <-ctx.Done(): g(context.Background()) } }",
            ],
        );
    }
}
