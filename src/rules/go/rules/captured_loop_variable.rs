//! Goroutines that share the variable of a loop.

use super::prelude::*;
use crate::go::scopes::local_declaration;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "captured-loop-variable",
    aliases: &["vet:loopclosure", "copyloopvar:copyloopvar"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "Before Go 1.22 all turns of a loop share its variable, and a goroutine reads what it holds later.",
    help: "Hand the value to the goroutine as an argument, or raise the version in `go.mod`.",
    explanation: "A goroutine begins at some time after `go`, mostly when the loop has gone on. Where `go.mod` asks for a \
        version before 1.22, the variable of the loop is one for all turns, so that the goroutines see the last value, \
        several times. Hand the value over as an argument. Said only where a `go.mod` above the file shows the version.",
    examples: &[Example {
        path: "example.go",
        bad: "package fetch

func All(urls []string) {
	for _, url := range urls {
		go func() {
			fetch(url)
		}()
	}
}
",
        good: "package fetch

func All(urls []string) {
	for _, url := range urls {
		go func(url string) {
			fetch(url)
		}(url)
	}
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["go_statement"], check_captured_loop_variable);

fn check_captured_loop_variable<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(around) = context.loop_around(node) else { return };
    let call = named_children(node).next().and_then(|call| field(call, "function"));
    let Some(function) = call.filter(|function| function.kind() == "func_literal") else { return };
    let Some(body) = field(function, "body") else { return };
    // The turn waits for what it started.
    if context.mentions().waits_within(node.end_byte(), around.end_byte()) && is_awaited(context, node, around) {
        return;
    }
    let mut names = context.tree().subtree_of(body).filter(|at| at.kind() == "identifier");
    let captured = names.find(|name| {
        if context.text(*name) == "_" || is_declared_here(context, *name) {
            return false;
        }
        let declaration = local_declaration(context, *name);
        declaration.is_some_and(|it| is_head_of(context, it, around))
    });
    if let Some(name) = captured {
        out.push(context.report(&RULE, name, format!("`{}` may be of another turn by then", context.text(name))));
    }
}

/// What waits where it stands; a closure that waits may be run at any time.
const STATEMENTS: &[&str] =
    &["assignment_statement", "expression_statement", "select_statement", "short_var_declaration"];

/// True where the turn that starts a goroutine waits for it: by a receive, a `select` or `Wait` behind, in a statement of its
/// own.
fn is_awaited(context: &GoContext<'_>, node: Node<'_>, around: Node<'_>) -> bool {
    let Some(list) = context.tree().parent_of(node) else { return false };
    let behind = context.tree().children_of(list).filter(|at| at.is_named() && at.start_byte() >= node.end_byte());
    let waits = |at: &Node<'_>| {
        STATEMENTS.contains(&at.kind())
            && context.mentions().waits_within(at.start_byte(), at.end_byte().min(around.end_byte()))
    };
    behind.into_iter().any(|at| waits(&at))
}

/// True for a name that the statement around it declares: it is new there, whatever is called so outside.
fn is_declared_here(context: &GoContext<'_>, name: Node<'_>) -> bool {
    let list = context.tree().parent_of(name).filter(|list| list.kind() == "expression_list");
    let statement = list.and_then(|list| context.tree().parent_of(list));
    let declares = statement.filter(|it| matches!(it.kind(), "short_var_declaration" | "range_clause"));
    let left = declares.and_then(|it| field(it, "left"));
    left.is_some_and(|left| list.is_some_and(|list| list.id() == left.id()))
}

/// True for what a loop declares in its head.
fn is_head_of(context: &GoContext<'_>, declaration: Node<'_>, around: Node<'_>) -> bool {
    let parent = context.tree().parent_of(declaration);
    match declaration.kind() {
        "range_clause" => parent.is_some_and(|parent| parent.id() == around.id()),
        "short_var_declaration" => {
            let clause = parent.filter(|parent| parent.kind() == "for_clause");
            clause.and_then(|clause| context.tree().parent_of(clause)).is_some_and(|it| it.id() == around.id())
        }
        _ => false,
    }
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
                "func f() { for i := 0; i < 3; i++ { go func() { g(i) }() } }",
                "func f() { for i := 0; i < 3; i++ { <-free; go func() { g(i) }() }; w.Wait() }",
                "func f(a []int) { for _, b := range a { if b > 0 { go func() { g(b) }() } } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(a []int) { for _, b := range a { b := b; go func() { g(b) }() } }",
                "func f(a []int) { for _, b := range a { func() { g(b) }() } }",
                "func f(a []int) { for range a { go func() { g(a) }() } }",
                "func f(a []int) { for i := 0; i < 3; i++ { go func() { for i := 0; i < 9; i++ { g(i) } }() } }",
                "func f(a []int) { for i := range a { go func() { for i, b := range a { g(i, b) } }() } }",
                "func f(a []int) { for _, b := range a { go g(b) } }",
                "func f(a []int) { for _, b := range a { c := make(chan int); go func() { c <- g(b) }(); <-c } }",
                "func f(a []int) { for _, b := range a { go func() { g(b); w.Done() }(); w.Wait() } }",
                "func f(a []int) { for _, b := range a { go func(b int) { _ = g(b) }(b) } }",
            ],
        );
    }
}
