//! Panics that nobody hears of.

use super::prelude::*;
use crate::go::scopes::{comment_beside, names_on_left};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "swallowed-panic",
    aliases: &["revive:defer"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A panic is recovered and forgotten, with the mistake that caused it.",
    help: "Log what `recover` returns, or turn it into an error.",
    explanation: "A panic is the sign of a mistake in the program: an index, a nil. `recover()` without a look at \
        what it returns hides that it happened, and the function returns zero values as if all were well. \
        Log it with its stack, or put it into the error that the function returns.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package job

func Run(job func()) {
	defer func() {
		recover()
	}()
	job()
}
"#,
        good: r#"package job

import "fmt"

func Run(job func()) (err error) {
	defer func() {
		if said := recover(); said != nil {
			err = fmt.Errorf("job: %v", said)
		}
	}()
	job()
	return nil
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_swallowed_panic);

fn check_swallowed_panic<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_recovery = node.kind() == "call_expression" && context.text(node) == "recover()";
    let Some(holder) = context.tree().parent_of(node).filter(|_| is_recovery && !context.holds_tests()) else {
        return;
    };
    let is_dropped = match holder.kind() {
        "expression_statement" => true,
        "expression_list" => {
            let statement = context.tree().parent_of(holder);
            let left = statement.and_then(|statement| field(statement, "left")).map_or("", |left| context.text(left));
            left == "_" || statement.is_some_and(|statement| is_empty_branch(context, statement))
        }
        "binary_expression" => is_empty_branch(context, holder),
        _ => false,
    };
    let line = context.tree().ancestors_of(node).find(|at| at.kind() == "expression_statement").unwrap_or(node);
    let is_explained = comment_beside(line).is_some() || is_explained_above(context, node) || keeps_result(context, node);
    if is_dropped && !is_explained {
        out.push(context.report(&RULE, node, "what went wrong is forgotten here"));
    }
}

/// True where the function that recovers gives a result of the one around it what there is so far: the panic only ended the work.
fn keeps_result(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(recovering) = context.function_around(node) else { return false };
    let Some(around) = context.function_around(recovering) else { return false };
    let results = field(around, "result").into_iter().flat_map(named_children);
    let names: Vec<&str> =
        results.flat_map(|one| children_of_kind(one, "identifier")).map(|name| context.text(name)).collect();
    let Some(body) = field(recovering, "body") else { return false };
    let mut assignments =
        context.tree().own_nodes_of(body).filter(|at| at.kind() == "assignment_statement" && at.start_byte() > node.end_byte());
    assignments.any(|at| names_on_left(context, at).any(|name| names.contains(&name)))
}

/// True where a comment above, or above the `defer` around, says that panics are let go.
fn is_explained_above(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let deferred = context.tree().ancestors_of(node).find(|at| at.kind() == "defer_statement");
    [Some(node), deferred].into_iter().flatten().any(|at| {
        let said = context.comment_above(at).to_ascii_lowercase();
        ["panic", "recover", "crash"].iter().any(|word| said.contains(word))
    })
}

/// True for the head of an `if` whose block holds nothing at all.
fn is_empty_branch(context: &GoContext<'_>, head: Node<'_>) -> bool {
    let branch =
        context.tree().parent_of(head).filter(|it| it.kind() == "if_statement").and_then(|it| field(it, "consequence"));
    branch.is_some_and(|branch| branch.named_child_count() == 0)
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
                "func f() { defer func() { _ = recover() }() }",
                "func f() { defer func() { if r := recover(); r != nil {} }() }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f() { defer func() { if r := recover(); r != nil { log.Print(r) } }() }",
                "func f() { defer func() { r := recover(); g(r) }() }",
                "func f() (b []byte) { defer func() { recover(); b = w.Bytes() }(); return g(w) }",
                "func f() {\n// Panics of what callers hand in are none of ours.\ndefer func() { recover() }()\n}",
            ],
        );
    }
}
