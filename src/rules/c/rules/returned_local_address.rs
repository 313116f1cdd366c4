//! Addresses of what is gone when the function ends.

use super::prelude::*;
use crate::c::calls::without_casts;
use crate::c::scopes::declared_in_function;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "returned-local-address",
    aliases: &[
        "cppcheck:returnDanglingLifetime",
        "gcc:-Wreturn-local-addr",
        "clang-tidy:clang-diagnostic-return-stack-address",
    ],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "What this points to is gone when the function ends.",
    help: "Return the value, or let the caller hand over the room for it.",
    explanation: "Variables of a function live until it ends. Behind it their place is used by the next call, so that \
        the caller reads, and writes, what belongs to others.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdio.h>

char *name_of(int number) {
    char name[16];
    snprintf(name, sizeof name, "%d", number);
    return name;
}
"#,
        good: r#"#include <stdio.h>

void name_of(int number, char *name, unsigned long size) {
    snprintf(name, size, "%d", number);
}
"#,
    }],
    cwe: Some("CWE-562"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["return_statement"], check_returned_local_address);

fn check_returned_local_address<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(value) = named_children(node).next().map(without_casts) else { return };
    let is_address = value.kind() == "pointer_expression" && context.text(value).starts_with('&');
    let Some(name) = (if is_address { field(value, "argument") } else { Some(value) }) else { return };
    if name.kind() != "identifier"
        || context
            .tree()
            .ancestors_of(node)
            .find(|at| context.tree().is_function(*at))
            .is_none_or(|of| of.kind() != "function_definition")
    {
        return;
    }
    let Some(declared) = declared_in_function(context, name, context.text(name)) else { return };
    let is_kept = declared.has_word(context, "static")
        || declared.has_word(context, "thread_local")
        || declared.has_word(context, "_Thread_local")
        || declared.has_word(context, "extern");
    let is_reference = context.text(declared.declarator).starts_with('&');
    let is_gone = if is_address {
        !is_reference
    } else {
        declared.is_array() && !declared.is_parameter() && returns_pointer(context, node)
    };
    if is_gone && !is_kept {
        out.push(context.report(&RULE, node, format!("`{}` is gone when the function ends", context.text(name))));
    }
}

/// True in a function that is declared with a `*`.
fn returns_pointer(context: &CContext<'_>, node: Node<'_>) -> bool {
    let function = context.outermost_function(node).and_then(|function| field(function, "declarator"));
    function.is_some_and(|declarator| declarator.kind() == "pointer_declarator")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "example.c",
            &["char *f(void) { char a[9]; g(a); return a; }", "int *f(int b) { int a = b; return &a; }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "char *f(void) { static char a[9]; return a; }",
                "char *f(char a[9]) { return a; }",
                "int f(int *a) { return a[0]; }",
                "int *f(struct s *s) { return &s->a; }",
                "int *f(void) { int *a = g(); return a; }",
            ],
        );
    }
}
