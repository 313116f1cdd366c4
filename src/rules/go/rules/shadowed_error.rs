//! Errors that are set in an inner block and missed outside.

use super::prelude::*;
use crate::go::calls::is_call_of;
use crate::go::scopes::{local_declaration, names_on_left};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "shadowed-error",
    aliases: &["vet:shadow"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "`:=` in an inner block makes another `err`, and the outer one is read afterwards as if nothing had \
        happened.",
    help: "Use `=` with variables that are declared before.",
    explanation: "`:=` declares anew whatever the block does not have yet, `err` among it. The call in the block \
        then sets the inner error, and the `return err` behind the block returns the outer one, which is \
        still nil. Declare the other variables before and use `=`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package read

func Config(path string) error {
	var err error
	if path != "" {
		text, err := load(path)
		log(text, err)
	}
	return err
}
"#,
        good: r#"package read

func Config(path string) error {
	var err error
	if path != "" {
		var text []byte
		text, err = load(path)
		log(text, err)
	}
	return err
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["short_var_declaration"], check_shadowed_error);

fn check_shadowed_error<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.holds_tests() {
        return;
    }
    let tree = context.tree();
    let Some(list) = tree.parent_of(node).filter(|parent| parent.kind() == "statement_list") else { return };
    let name =
        field(node, "left").and_then(|left| named_children(left).find(|name| context.text(*name).ends_with("err")));
    let (Some(name), Some(function)) = (name, context.function_around(node)) else { return };
    let word = context.text(name);
    // One that is made here is another on purpose: `err := fmt.Errorf("%s: %w", path, err)`.
    let value = field(node, "right").and_then(|values| named_children(values).next());
    let is_made = value.is_some_and(|value| {
        value.kind() != "call_expression"
            || is_call_of(context, value, "fmt", &["Errorf"])
            || is_call_of(context, value, "errors", &["New"])
    });
    let Some(outer) = local_declaration(context, name).filter(|_| !is_made) else { return };
    let is_outer = outer.start_byte() > function.start_byte()
        && tree.parent_of(outer).is_some_and(|of| of.id() != list.id() && of.start_byte() < list.start_byte())
        && tree
            .ancestors_of(outer)
            .find(|at| at.kind() == "statement_list")
            .is_some_and(|of| of.end_byte() > list.end_byte());
    if !is_outer || is_told_inside(context, list, node, word) {
        return;
    }
    let after = context.mentions().names_from(word, list.end_byte()).iter().copied();
    let next = after
        .take_while(|at| at.start_byte() < function.end_byte())
        .find(|at| context.function_around(*at).is_some_and(|of| of.id() == function.id()));
    // The outer one may be set again before anybody reads it.
    let is_read = next.is_some_and(|at| {
        let statement = tree
            .ancestors_of(at)
            .find(|above| matches!(above.kind(), "short_var_declaration" | "assignment_statement"));
        !statement.is_some_and(|it| names_on_left(context, it).any(|left| left == word))
    });
    if is_read {
        out.push(context.report(&RULE, node, format!("this `{word}` is another than the one that is read afterwards")));
    }
}

/// The inner error is tested or returned where it is set: nothing is missed.
fn is_told_inside<'c>(context: &GoContext<'c>, list: Node<'c>, from: Node<'c>, word: &str) -> bool {
    let later = context.tree().subtree_of(list).filter(|at| at.start_byte() >= from.end_byte());
    later.into_iter().any(|at| match at.kind() {
        "return_statement" => children_of_kind(at, "expression_list").any(|of| context.text(of).contains(word)),
        "if_statement" => field(at, "condition").is_some_and(|condition| context.text(condition).contains(word)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["func f() error { err := g(); if a { b, err := h(); c(b, err) }; return err }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f() error { err := g(); if a { b, err := h(); if err != nil { return err }; c(b) }; return err }",
                "func f() error { err := g(); if a { b, err := h(); c(b, err) }; err = i(); return err }",
                "func f() error { if a { b, err := h(); c(b, err) }; return nil }",
                "import \"fmt\"\nfunc f() error { err := g(); if err != nil { err := fmt.Errorf(\"a: %w\", err); all = append(all, err) }; return err }",
            ],
        );
    }
}
