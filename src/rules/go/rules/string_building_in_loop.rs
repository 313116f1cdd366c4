//! Texts that grow by a copy of themselves.

use super::prelude::*;
use crate::go::calls::string_literal;
use crate::go::scopes::{declared_type, is_constant_text, local_declaration};

pub use crate::common::string_building_in_loop::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["assignment_statement"], check_string_building_in_loop);

fn check_string_building_in_loop<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let adds = node.kind() == "assignment_statement" && field(node, "operator").is_some_and(|it| it.kind() == "+=");
    let Some(around) = context.loop_around(node).filter(|_| adds && !context.is_test_file()) else { return };
    let name =
        field(node, "left").and_then(|left| named_children(left).next()).filter(|name| name.kind() == "identifier");
    let Some((name, declaration)) = name.and_then(|name| Some((name, local_declaration(context, name)?))) else {
        return;
    };
    // One that begins anew at each turn stays short.
    if declaration.start_byte() < around.start_byte()
        && is_text(context, name, declaration)
        && !is_needed_in_between(context, around, name)
    {
        out.push(context.report(&RULE, node, format!("`{}` is copied at each turn", context.text(name))));
    }
}

/// True where each turn reads what there is so far, as a path that grows by its parts.
fn is_needed_in_between(context: &GoContext<'_>, around: Node<'_>, name: Node<'_>) -> bool {
    let mut mentions = context.tree().subtree_of(around).filter(|at| {
        at.kind() == "identifier" && at.start_byte() != name.start_byte() && context.text(*at) == context.text(name)
    });
    mentions.any(|at| {
        let statement = context.tree().ancestors_of(at).find(|it| it.kind() == "assignment_statement");
        let is_target = statement
            .and_then(|it| field(it, "left"))
            .is_some_and(|left| left.start_byte() <= at.start_byte() && at.end_byte() <= left.end_byte());
        let is_asked = context.tree().ancestors_of(at).take_while(|it| it.id() != around.id()).any(|it| it.kind() == "binary_expression");
        !is_target && !is_asked
    })
}

fn is_text(context: &GoContext<'_>, name: Node<'_>, declaration: Node<'_>) -> bool {
    let values = field(declaration, "right").or_else(|| field(declaration, "value"));
    let begins_as_text = values.and_then(|values| named_children(values).next()).is_some_and(|value| {
        // A sum may be one of numbers.
        let mut parts = context.tree().subtree_of(value);
        string_literal(context, value).is_some()
            || value.kind() == "binary_expression"
                && is_constant_text(context, value)
                && parts.any(|part| string_literal(context, part).is_some())
    });
    begins_as_text || declared_type(context, name) == Some("string")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["func f(a []string) { var s string; for _, b := range a { if b != \"\" { s += b } } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(a []int) { n := 0; for _, b := range a { n += b } }",
                "func f(a []string) { for _, b := range a { s := \"\"; s += b; g(s) } }",
                "func f() { s := \"a\"; s += \"b\" }",
                "func f() { at := 1 + 2; for at < 90 { at += 4 } }",
                "func f(a []string) { path := \"\"; for _, b := range a { path += \"/\" + b; g(path) } }",
            ],
        );
    }
}
