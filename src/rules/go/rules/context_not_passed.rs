//! Work that is cut off from the context of its caller.

use super::prelude::*;
use crate::go::calls::{called_member, called_method, is_call_of};
use crate::go::comments::is_mere_order;
use crate::go::purposes::{is_about_cleaning, is_about_telling};
use crate::go::scopes::{comment_beside, names_around, names_on_left, statement_around};
use crate::words::speaks_of;

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
    if !is_call_of(context, node, "context", &["Background", "TODO"]) || context.holds_tests() {
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
    let statement = statement_around(context, node).unwrap_or(node);
    let said = context.comment_above(node).to_ascii_lowercase() + &context.comment_above(statement).to_ascii_lowercase();
    if ["context", "ctx", "cancel"].iter().any(|word| said.contains(word)) {
        return;
    }
    if roots_trace(context, node) || is_kept(context, node) || is_shared(context, node) || cleans_up(context, node) || is_only_told(context, node) || is_explained(context, node) {
        return;
    }
    let functions = context.tree().ancestors_of(node).filter(|at| context.tree().is_function(*at));
    let Some(handed) = functions.into_iter().find_map(|function| context_parameter(context, function)) else { return };
    let mut assigned = context.tree().ancestors_of(node).filter(|at| at.kind() == "assignment_statement");
    // Where none was handed, a new one takes its place.
    let is_given = is_in_place_of_none(context, node, handed) || assigned.any(|at| names_on_left(context, at).any(|name| name == handed));
    if !is_given && !is_over(context, node) {
        // Whether the work shall outlive its caller, no text of a file says.
        out.push(context.report(&RULE, node, format!("`{handed}` is at hand and not passed on")).doubted());
    }
}

/// True for what is written into a log, which nobody waits for.
fn is_only_told(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let calls = context.tree().ancestors_of(node).skip(1).take_while(|at| {
        matches!(at.kind(), "argument_list" | "call_expression" | "selector_expression")
    });
    let mut callees = calls.filter(|at| at.kind() == "call_expression").filter_map(|call| field(call, "function"));
    callees.any(|callee| is_about_telling(context.text(callee)) || counts_something(context, callee))
}

/// True for a measurement, which counts also when whoever asked has gone.
fn counts_something(context: &GoContext<'_>, callee: Node<'_>) -> bool {
    let call = context.tree().parent_of(callee);
    call.and_then(|call| called_member(context, call)).is_some_and(|(path, _)| path.ends_with("opencensus.io/stats"))
}

/// `if errors.Is(err, context.Canceled) {`: the one at hand is over there.
fn is_over(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let within = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    let is_inside = |branch: &Node<'_>| field(*branch, "consequence").is_some_and(|it| it.byte_range().contains(&node.start_byte()));
    let branches = within.filter(|at| at.kind() == "if_statement").filter(is_inside);
    branches.filter_map(|branch| field(branch, "condition")).any(|condition| {
        let asked = context.text(condition);
        !asked.contains('!') && ["context.Canceled", "context.DeadlineExceeded"].iter().any(|end| asked.contains(end))
    })
}

/// True where a comment beside the statement says why: one that is no mere order to another checker.
fn is_explained(context: &GoContext<'_>, node: Node<'_>) -> bool {
    statement_around(context, node).and_then(comment_beside).is_some_and(|comment| !is_mere_order(context.text(comment)))
}

/// `if ctx == nil {`: there is none to pass on. What returns a context chooses one.
fn is_in_place_of_none(context: &GoContext<'_>, node: Node<'_>, handed: &str) -> bool {
    let result = context.function_around(node).and_then(|function| field(function, "result"));
    if result.is_some_and(|result| context.text(result) == "context.Context") {
        return true;
    }
    let within = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    let mut conditions = within.filter(|at| at.kind() == "if_statement").filter_map(|at| field(at, "condition"));
    conditions.any(|condition| {
        context.text(condition).contains(&format!("{handed} == nil"))
    })
}

/// `traceCtx := context.Background()`, into which the spans of somebody else are read.
fn roots_trace(context: &GoContext<'_>, node: Node<'_>) -> bool {
    names_around(context, node).iter().skip(1).any(|name| speaks_of(name, &["trace", "span"]))
}

/// True where the new context is kept in something that outlives the call, or carries a value that was chosen for it.
fn is_kept(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let within = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    for at in within {
        match at.kind() {
            "keyed_element" => return true,
            "call_expression" => {
                // `WithNamespace(context.Background(), name)`: the value was taken out of the one at hand.
                let carries = called_method(context, at).is_some_and(|(_, name)| name.starts_with("With"));
                if carries && called_member(context, at).is_none_or(|(path, _)| path != "context") {
                    return true;
                }
            }
            "assignment_statement" => {
                let mut left = field(at, "left").into_iter().flat_map(named_children);
                let is_lasting = gives_context(context, at) || makes_something(context, at);
                return left.any(|left| left.kind() == "selector_expression") && is_lasting;
            }
            // The function that ends it is kept: whoever has that decides how long it lasts.
            "short_var_declaration" => {
                let end = field(at, "left").and_then(|left| named_children(left).nth(1));
                let function = context.outermost_function(node).filter(|_| gives_context(context, at));
                return end.zip(function).is_some_and(|(end, function)| {
                    context.mentions().is_handed_on_in(context.text(end), function)
                });
            }
            "expression_statement" | "return_statement" => return false,
            _ => {}
        }
    }
    false
}

/// True for a statement whose value is a context: the new one, or one that the package `context` makes of it.
fn gives_context(context: &GoContext<'_>, assignment: Node<'_>) -> bool {
    let value = field(assignment, "right").and_then(|values| named_children(values).next());
    value.and_then(|value| called_member(context, value)).is_some_and(|(path, _)| path == "context")
}

/// `s.service, err = storage.NewService(context.Background())`: what is made outlives the call, and its context with it.
fn makes_something(context: &GoContext<'_>, assignment: Node<'_>) -> bool {
    let value = field(assignment, "right").and_then(|values| named_children(values).next());
    let callee = value.and_then(|value| field(value, "function")).map_or("", |callee| context.text(callee));
    callee.rsplit('.').next().unwrap_or_default().starts_with("New")
}

/// True in a function that several callers share the result of, and that sets a deadline of its own: none of them may end it.
fn is_shared(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let is_limited = context.tree().ancestors_of(node).any(|at| {
        is_call_of(context, at, "context", &["WithDeadline", "WithTimeout"])
    });
    let closure = context.function_around(node).filter(|function| function.kind() == "func_literal");
    let call = closure.and_then(|it| context.tree().parent_of(it)).and_then(|list| context.tree().parent_of(list));
    let shared = call.and_then(|call| called_method(context, call));
    is_limited && shared.is_some_and(|(_, name)| matches!(name, "Do" | "DoChan"))
}

/// True where the new context serves to clean up: in the statement, in the function value that is run then, or by what the
/// context is given to.
fn cleans_up(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let is_end = |at: &Node<'_>| {
        at.kind() == "func_literal"
            || context.tree().parent_of(*at).is_some_and(|list| list.kind() == "statement_list")
    };
    let mut within = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    let statement = within.find(is_end);
    let closure = context.function_around(node).filter(|function| function.kind() == "func_literal");
    // `shutdown := func() {`
    let named = closure.and_then(|closure| {
        let list = context.tree().parent_of(closure)?;
        names_on_left(context, context.tree().parent_of(list)?).next()
    });
    let calls = context.tree().ancestors_of(node).skip(1).take_while(|at| {
        matches!(at.kind(), "argument_list" | "call_expression")
    });
    let mut callees = calls.filter_map(|call| field(call, "function"));
    if named.is_some_and(ends_work) || callees.any(|callee| ends_work(context.text(callee))) {
        return true;
    }
    [statement, closure].into_iter().flatten().any(|part| {
        let mut names = context.tree().subtree_of(part).filter(|at| {
            matches!(at.kind(), "identifier" | "field_identifier")
        });
        names.any(|name| is_about_cleaning(context.text(name)))
    })
}

/// True for the name of what cleans up, or ends what was begun. `cancel` alone is also what each new context brings along.
fn ends_work(name: &str) -> bool {
    is_about_cleaning(name) || speaks_of(name, &["cancel", "canceled", "cancelled", "stopped"])
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
                "import \"context\"\nfunc f(ctx context.Context) { if errors.Is(g(ctx), context.Canceled) { h() } else { g(context.Background()) } }",
                "import \"context\"\nfunc f(ctx context.Context) { if !errors.Is(g(ctx), context.Canceled) { h(context.Background()) } }",
                "import \"context\"\nfunc f(ctx context.Context) { h(func() { g(context.Background()) }) }",
                "import \"context\"\nfunc f(ctx context.Context) { c, end := context.WithTimeout(context.Background(), 9); defer end(); g(c) }",
                "import \"context\"\nfunc f(ctx context.Context) { a[0], err = g(context.Background()) }",
                "import \"context\"\nfunc f(ctx context.Context) { g(context.Background()) //nolint:contextcheck\n }",
                "import \"context\"\nfunc f(ctx context.Context) { s.rows, err = g(context.Background()) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"context\"\nfunc f() { g(context.Background()) }",
                "import \"context\"\nfunc f(ctx context.Context) { if errors.Is(g(ctx), context.Canceled) { h(context.Background()) } }",
                "import \"context\"\nfunc f(ctx context.Context) {\n// An empty context, so that all is written at the end.\ng(\n\tcontext.Background(),\n\ta,\n)\n}",
                "import \"context\"\nfunc f(ctx context.Context) { traceCtx := context.Background(); g(p.Extract(traceCtx, h)) }",
                "import \"context\"\nfunc f(ctx context.Context) { log.G(context.TODO()).Debug(\"a\"); logIf(context.Background(), a) }",
                "import \"context\"\nfunc f(ctx context.Context) context.Context { if ctx == nil { return context.Background() }; return ctx }",
                "import \"context\"\nfunc f(ctx context.Context) { var c context.Context; c, s.end = context.WithCancel(context.Background()); g(c) }",
                "import \"context\"\nfunc f(ctx context.Context) { g(context.Background()) // The checker outlives this call.\n }",
                "import \"context\"\nfunc f(ctx context.Context) { handleCancelled := func() { run.End(context.Background()) }; g(handleCancelled) }",
                "import \"context\"\nfunc f(ctx context.Context) { if g(ctx) { runs.Cancel(context.Background(), 1) } }",
                "import \"context\"\nfunc f(ctx context.Context) { s.svc, err = storage.NewService(context.Background(), o) }",
                "import \"context\"\nfunc f(ctx context.Context) { s.group.Do(k, func() (any, error) { c, end := context.WithTimeout(context.Background(), 9); defer end(); return g(c) }) }",
                "import \"context\"\nfunc f(ctx context.Context) { s.ctx, s.end = context.WithCancel(context.Background()) }",
                "import \"context\"\nfunc f(ctx context.Context) { c, end := context.WithCancel(context.Background()); s.end = end; g(c) }",
                "import \"context\"\nfunc f(ctx context.Context) *T { return &T{inner: context.Background(), values: ctx} }",
                "import \"context\"\nfunc f(ctx context.Context) { n := names.Of(ctx); g(names.WithName(context.Background(), n)) }",
                "import \"context\"\nfunc f(ctx context.Context) { if err := g(ctx); err != nil { cleanupAll(context.Background()) } }",
                "import \"context\"\nfunc f(ctx context.Context) { h(func() { c := limited(context.Background()); s.Close(c) }) }",
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
