//! Memory that is used after it was given back.

use super::prelude::*;
use crate::c::calls::follows_pointer;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "use-after-free",
    aliases: &[
        "cppcheck:deallocuse",
        "cppcheck:doubleFree",
        "clang-tidy:clang-analyzer-unix.Malloc",
        "gcc:-Wuse-after-free",
    ],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "What a freed pointer points to belongs to somebody else.",
    help: "Free it last, or set the pointer to `NULL` and check it.",
    explanation: "Behind `free` or `delete` the memory is handed out again. Whoever reads it sees the data of another \
        object, whoever writes changes it, and a second `free` damages the heap itself.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdlib.h>

int last(struct node *node) {
    free(node);
    return node->value;
}
"#,
        good: r#"#include <stdlib.h>

int last(struct node *node) {
    int value = node->value;
    free(node);
    return value;
}
"#,
    }],
    cwe: Some("CWE-416"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["compound_statement", "case_statement"], check_use_after_free);

/// Functions that read or give back what they are handed.
const HANDED_TO: &[&str] = &["free", "strlen", "strcpy", "memcpy", "printf", "puts"];

fn check_use_after_free<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let statements: Vec<Node<'c>> = named_children(node).collect();
    for (at, statement) in statements.iter().enumerate() {
        let Some(name) = freed_name(context, *statement) else { continue };
        let mut behind =
            statements.get(at + 1..).unwrap_or_default().iter().take_while(|next| next.kind() != "labeled_statement");
        let use_of = behind.by_ref().find_map(|next| first_mention(context, *next, name));
        if let Some(found) =
            use_of.filter(|found| follows_pointer(context, *found, HANDED_TO) && !context.is_test_file())
        {
            out.push(context.report(&RULE, found, format!("`{name}` was given back above")));
        }
    }
}

/// The pointer that a statement gives back.
fn freed_name<'c>(context: &CContext<'c>, statement: Node<'c>) -> Option<&'c str> {
    let expression =
        (statement.kind() == "expression_statement").then(|| named_children(statement).next()).flatten()?;
    let freed = match expression.kind() {
        "call_expression" if is_library_call(context, expression, &["free", "cfree"]) => {
            arguments_of(expression).first().copied()?
        }
        "delete_expression" => named_children(expression).last()?,
        _ => return None,
    };
    (freed.kind() == "identifier").then(|| context.text(freed))
}

fn first_mention<'c>(context: &CContext<'c>, within: Node<'c>, name: &str) -> Option<Node<'c>> {
    context.tree().subtree_of(within).find(|at| at.kind() == "identifier" && context.text(*at) == name)
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
            &[
                "int f(struct a *b) { free(b); return b->c; }",
                "void f(char *b) { free(b); free(b); }",
                "void f(char *b) { free(b); b[0] = 1; }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(struct a *b) { struct a *n = b->next; free(b); b = n; b->c = 1; }",
                "void f(char *b) { free(b); b = NULL; g(b); }",
                "void f(struct a *b) { if (c) { free(b); return; } b->c = 1; }",
                "void f(struct a *b) { free(b->c); b->c = 0; }",
            ],
        );
    }
}
