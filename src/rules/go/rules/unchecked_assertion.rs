//! Type assertions that panic when they are wrong.

use super::prelude::*;
use crate::go::scopes::function_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unchecked-assertion",
    aliases: &["forcetypeassert:forcetypeassert", "errcheck:check-type-assertions"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 250,
    blocking: false,
    summary: "A type assertion with one result panics when the value has another type.",
    help: "Take both results, `value, ok :=`, and handle the other case.",
    explanation: "`x.(T)` with one result ends the program when `x` holds something else, nil among it: after a \
        change elsewhere, or for one odd input. With two results the other case can be handled. What comes \
        out of a `sync.Pool`, and containers that only hold one type, are left out.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package auth

import "context"

func User(ctx context.Context) *Account {
	return ctx.Value(userKey).(*Account)
}
"#,
        good: r#"package auth

import "context"

func User(ctx context.Context) (*Account, bool) {
	account, ok := ctx.Value(userKey).(*Account)
	return account, ok
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["type_assertion_expression"], check_unchecked_assertion);

/// Methods of `container/heap` and `sort`, which hold what the package put in.
const CONTAINER: &[&str] = &["Len", "Less", "Pop", "Push", "Swap"];

fn check_unchecked_assertion<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_test_file() || is_checked(context, node) {
        return;
    }
    let operand = field(node, "operand").map_or("", |operand| context.text(operand));
    let is_pool = operand.ends_with(".Get()") && operand.to_ascii_lowercase().contains("pool");
    if !is_pool && !operand.contains("heap.Pop(") && !CONTAINER.contains(&function_name(context, node)) {
        out.push(context.report(&RULE, node, "this panics when the value has another type"));
    }
}

/// The second result is taken as well: `v, ok := x.(T)`, `var v, ok = x.(T)`.
fn is_checked(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(list) = context.tree().parent_of(node).filter(|parent| parent.kind() == "expression_list") else {
        return false;
    };
    let Some(statement) = context.tree().parent_of(list).filter(|_| list.named_child_count() == 1) else {
        return false;
    };
    match statement.kind() {
        "short_var_declaration" | "assignment_statement" => {
            field(statement, "left").is_some_and(|left| left.named_child_count() == 2)
        }
        "var_spec" => children_of_kind(statement, "identifier").count() == 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["func f(a any) int { return a.(int) }", "func f(a any) { b := a.(T); g(b) }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(a any) { b, ok := a.(int); g(b, ok) }",
                "func f(a any) { if _, ok := a.(T); ok { g() } }",
                "func f(a any) { switch a.(type) { case int: } }",
                "func f() { b := bufferPool.Get().(*B); g(b) }",
                "func (h *H) Push(x any) { h.a = append(h.a, x.(int)) }",
            ],
        );
    }
}
