//! Type assertions that panic when they are wrong.

use super::prelude::*;
use crate::go::calls::{called_method, string_literal};
use crate::go::scopes::{assigned_value, declared_type, function_name, local_declaration};
use crate::tree::nodes::without_parentheses;

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
        change elsewhere, or for one odd input. With two results the other case can be handled. Named are \
        values that somebody else chose: an element of a map by its name, as decoded data has it, a value of a \
        context, an error, what a parameter of an exported function holds, and what a decoder was given a place \
        for. A value whose type the function looks at elsewhere is left alone, and so are pools, containers \
        and fields, which hold what the package put there.",
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
    let Some(operand) = field(node, "operand").map(without_parentheses) else { return };
    if is_chosen_elsewhere(context, operand) && !is_looked_at(context, node, operand) {
        out.push(context.report(&RULE, node, "this panics when the value has another type"));
    }
}

/// True for a value whose type this package did not settle.
fn is_chosen_elsewhere<'c>(context: &GoContext<'c>, operand: Node<'c>) -> bool {
    match operand.kind() {
        // An element of decoded data.
        "index_expression" => {
            let is_own = field(operand, "operand").and_then(|holder| assigned_value(context, holder));
            field(operand, "index").is_some_and(|index| string_literal(context, index).is_some())
                && is_own.is_none_or(|value| value.kind() != "composite_literal")
        }
        "call_expression" => called_method(context, operand).is_some_and(|(holder, name)| {
            let holder = context.text(holder);
            name == "Value" && (holder.ends_with("Context()") || holder.to_ascii_lowercase().ends_with("ctx"))
        }),
        "identifier" => is_open_name(context, operand),
        _ => false,
    }
}

fn is_open_name<'c>(context: &GoContext<'c>, name: Node<'c>) -> bool {
    let of = declared_type(context, name).unwrap_or_default();
    let Some(declaration) = local_declaration(context, name) else { return false };
    let is_empty_interface = matches!(of, "any" | "interface{}");
    match declaration.kind() {
        "parameter_declaration" => {
            let function = context.tree().ancestors_of(declaration).find(|at| context.tree().is_function(*at));
            let called = function.and_then(|it| field(it, "name")).map_or("", |it| context.text(it));
            (is_empty_interface || of == "error")
                && called.starts_with(char::is_uppercase)
                && !CONTAINER.contains(&function_name(context, name))
        }
        // A decoder was given its address.
        "var_spec" => is_empty_interface && context.text_around(name).contains(&format!("&{}", context.text(name))),
        // An atomic value holds what the package put there.
        _ => {
            let is_kept = field(declaration, "right").is_some_and(|value| context.text(value).ends_with(".Load()"));
            is_error_name(context.text(name)) && !is_kept
        }
    }
}

fn is_error_name(name: &str) -> bool {
    name == "err" || name.ends_with("Err")
}

/// True where the function around asks for the type of the value in another place as well.
fn is_looked_at<'c>(context: &GoContext<'c>, node: Node<'c>, operand: Node<'c>) -> bool {
    let Some(function) = context.outermost_function(node) else { return false };
    let is_same = |value: Option<Node<'c>>| {
        value.is_some_and(|value| context.text(without_parentheses(value)) == context.text(operand))
    };
    let asks = |at: Node<'c>| match at.kind() {
        "type_switch_statement" => is_same(field(at, "value")),
        "type_assertion_expression" => is_same(field(at, "operand")) && is_checked(context, at),
        // `reflect.TypeOf(value)`, `errors.As(err, …)`, `isTemporary(err)`: whatever is asked of it in a condition.
        "if_statement" => field(at, "condition").is_some_and(|condition| {
            context.tree().subtree_of(condition).any(|part| part.kind() == "argument_list" && names(part, &is_same))
        }),
        _ => false,
    };
    context.tree().subtree_of(function).any(asks)
}

fn names<'c>(list: Node<'c>, is_same: &impl Fn(Option<Node<'c>>) -> bool) -> bool {
    named_children(list).any(|argument| is_same(Some(argument)))
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
        assert_found(
            &RULE,
            &[
                "func F(a any) int { return a.(int) }",
                "func (t *T) Scan(a interface{}) { b := a.([]byte); g(b) }",
                "func f(claims map[string]any) string { return claims[\"sub\"].(string) }",
                "func f(r *http.Request) int { return r.Context().Value(key).(int) }",
                "func f(b []byte) { var a any; json.Unmarshal(b, &a); g(a.(map[string]any)) }",
                "func f() { _, err := os.Open(\"a\"); g(err.(*os.PathError)) }",
            ],
        );
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
                "func f(a any) int { return a.(int) }",
                "func f(w *writer) { w.inner.(http.Flusher).Flush() }",
                "func F(a any) int { switch a.(type) { case int: return a.(int) }; return 0 }",
                "func f(err error) { if isPath(err) { g(err.(*os.PathError)) } }",
                "func (c *C) Err() error { if err := c.err.Load(); err != nil { return err.(error) }; return nil }",
                "func f() { m := map[string]any{\"a\": 1}; g(m[\"a\"].(int)) }",
                "func f(m *sync.Map) { m.Range(func(k, v any) bool { g(k.(string)); return true }) }",
                "func F(m *sync.Map) { m.Range(func(k, v any) bool { g(k.(string)); return true }) }",
            ],
        );
    }
}
