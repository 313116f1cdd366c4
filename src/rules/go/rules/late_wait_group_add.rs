//! A wait group that hears of work when it may have stopped waiting.

use super::prelude::*;
use crate::go::calls::called_method;
use crate::go::scopes::local_declaration;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "late-wait-group-add",
    aliases: &["staticcheck:SA2000"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "`Add` inside the goroutine may run after `Wait` has returned.",
    help: "Call `Add` before the `go` statement.",
    explanation: "The goroutine begins at some time after `go`. `Wait` may come first, find nothing to wait for and \
        return, and the program ends with the work undone. `Add` stands before `go`, where the order is \
        certain.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package work

import "sync"

func All(jobs []func()) {
	var group sync.WaitGroup
	for _, job := range jobs {
		go func() {
			group.Add(1)
			defer group.Done()
			job()
		}()
	}
	group.Wait()
}
"#,
        good: r#"package work

import "sync"

func All(jobs []func()) {
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			job()
		}()
	}
	group.Wait()
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_late_wait_group_add);

/// Statements behind an `Add` in which what it counts is started.
const STATEMENTS: usize = 3;

fn check_late_wait_group_add<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((group, "Add")) = called_method(context, node) else { return };
    let Some(function) = context.function_around(node).filter(|function| function.kind() == "func_literal") else {
        return;
    };
    // The function is called, and the call is what `go` starts.
    let call = context.tree().parent_of(function);
    let is_started = call.and_then(|call| context.tree().parent_of(call)).is_some_and(|it| it.kind() == "go_statement");
    // What is itself counted may count what it starts.
    let statement = context.tree().parent_of(node).filter(|it| it.kind() == "expression_statement");
    let list = statement.and_then(|statement| context.tree().parent_of(statement));
    let behind = list.into_iter().flat_map(named_children).filter(|next| next.start_byte() > node.start_byte());
    let starts = |next: Node<'_>| {
        let mut inside = context.tree().subtree_of(next);
        inside.any(|at| matches!(at.kind(), "go_statement" | "func_literal"))
    };
    if behind.take(STATEMENTS).any(starts) {
        return;
    }
    // Others have methods of these names as well.
    let is_outer = local_declaration(context, group).is_none_or(|it| {
        it.start_byte() < function.start_byte() && context.text(it).to_ascii_lowercase().contains("waitgroup")
    });
    let ends = format!("{}.Done()", context.text(group));
    if is_started && is_outer && context.text(function).contains(&ends) {
        out.push(context.report(&RULE, node, "`Wait` may return before this runs"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["func f(wg *sync.WaitGroup) { go func() { wg.Add(1); g(); wg.Done() }() }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"sync\"\nfunc f(wg *sync.WaitGroup) { wg.Add(1); go func() { defer wg.Done(); wg.Add(1); go func() { defer wg.Done() }() }() }",
                "func f(wg *sync.WaitGroup) { wg.Add(1); go func() { defer wg.Done() }() }",
                "func f() { go func() { n.Add(1) }() }",
                "func f() { items := NewItems(); go func() { items.Add(1); items.Done() }() }",
                "func f() { go func() { var wg sync.WaitGroup; wg.Add(1); h(func() { wg.Done() }) }() }",
            ],
        );
    }
}
