//! Commands of a shell made from values.

use super::prelude::*;
use crate::c::calls::{is_constant_name, without_casts};
use crate::c::scopes::name_of_declarator;

pub use crate::common::shell_command::RULE;

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_shell_command);

fn check_shell_command<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_library_call(context, node, &["system", "popen", "_popen", "wordexp"]) || context.is_test_file() {
        return;
    }
    let Some(command) = arguments_of(node).first().map(|first| without_casts(*first)) else { return };
    if is_built(context, command) {
        out.push(context.report(&RULE, node, "a value is part of the text of this command"));
    }
}

/// True for a text that the function has put together: by a sum of C++, or written into a buffer.
fn is_built<'c>(context: &CContext<'c>, command: Node<'c>) -> bool {
    const WRITING: &[&str] =
        &["sprintf", "snprintf", "vsnprintf", "strcat", "strncat", "asprintf", "strlcat", "g_strdup_printf", "format"];
    let is_sum = |at: Node<'c>| {
        let mut parts = context.tree().subtree_of(at);
        let mut has_name = false;
        let is_plus = parts.any(|part| part.kind() == "binary_expression" && operator_of(part) == Some("+"));
        has_name |= context.tree().subtree_of(at).any(|part| {
            part.kind() == "identifier" && part.parent().is_some_and(|of| of.kind() == "binary_expression")
        });
        is_plus && has_name
    };
    if is_sum(command) || context.tree().subtree_of(command).any(|part| is_library_call(context, part, WRITING)) {
        return true;
    }
    let name = context.tree().subtree_of(command).find(|part| part.kind() == "identifier");
    let Some((name, function)) = name.zip(context.outermost_function(command)) else { return false };
    let wanted = context.text(name);
    let before = context.tree().subtree_of(function).take_while(|at| at.start_byte() < command.start_byte());
    before.into_iter().any(|at| match at.kind() {
        "call_expression" => {
            let target = arguments_of(at).first().map(|first| context.text(*first).trim_start_matches('&'));
            is_library_call(context, at, WRITING) && target == Some(wanted) && writes_values(context, at)
        }
        "init_declarator" | "assignment_expression" => {
            let given = field(at, "declarator").map(name_of_declarator).or_else(|| field(at, "left"));
            given.is_some_and(|given| context.text(given) == wanted)
                && field(at, "value").or_else(|| field(at, "right")).is_some_and(is_sum)
        }
        _ => false,
    })
}

/// True when something that is no text or number of the source is written.
fn writes_values(context: &CContext<'_>, call: Node<'_>) -> bool {
    arguments_of(call).iter().skip(1).any(|argument| {
        let argument = without_casts(*argument);
        let is_size = matches!(argument.kind(), "sizeof_expression" | "number_literal" | "binary_expression");
        !is_literal_text(argument)
            && !is_size
            && !is_constant_name(context.text(argument))
            && argument.kind() != "call_expression"
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "a.c",
            &[
                "void f(const char *a) { char c[99]; snprintf(c, sizeof c, \"ls %s\", a); system(c); }",
                "void f(const char *a) { char c[99] = \"ls \"; strcat(c, a); popen(c, \"r\"); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.c",
            &[
                "void f(void) { system(\"ls -l\"); }",
                "void f(const char *a) { system(a); }",
                "void f(void) { char c[9]; snprintf(c, sizeof c, \"%s\", NAME); system(c); }",
                "void f(Pool *p, const char *a) { char c[9]; snprintf(c, 9, \"%s\", a); p->system(c); }",
            ],
        );
    }
}
