//! Memory that may not have been given.

use super::prelude::*;
use crate::c::calls::follows_pointer;
use crate::c::scopes::name_of_declarator;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unchecked-allocation",
    aliases: &["cppcheck:nullPointerOutOfMemory", "clang-tidy:clang-analyzer-unix.StdCLibraryFunctions"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "The memory may not be there, and is used without a look.",
    help: "Check the pointer before its first use.",
    explanation: "`malloc`, `calloc` and `realloc` return a null pointer when there is no memory, or when a size from \
        outside is absurd. The first use then ends the program, or, at an offset, writes where it should \
        not.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdlib.h>

struct order *make(int number) {
    struct order *order = malloc(sizeof *order);
    order->number = number;
    return order;
}
"#,
        good: r#"#include <stdlib.h>

struct order *make(int number) {
    struct order *order = malloc(sizeof *order);
    if (order == NULL) {
        return NULL;
    }
    order->number = number;
    return order;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_unchecked_allocation);

/// Functions that write into what they are handed.
const HANDED_TO: &[&str] = &["memset", "memcpy", "memmove", "strcpy", "sprintf", "strcat"];

fn check_unchecked_allocation<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_library_call(context, node, &["malloc", "calloc", "realloc", "strdup", "aligned_alloc"])
        || context.is_test_file()
    {
        return;
    }
    let holder = context
        .tree()
        .ancestors_of(node)
        .find(|at| !matches!(at.kind(), "cast_expression" | "parenthesized_expression"));
    // What is kept and tested at once stands in a condition.
    let is_statement = |at: Node<'c>| {
        context.tree().parent_of(at).is_some_and(|of| matches!(of.kind(), "declaration" | "expression_statement"))
    };
    let holder = holder.filter(|at| is_statement(*at));
    let target = holder.and_then(|at| match at.kind() {
        "init_declarator" => field(at, "declarator").map(name_of_declarator),
        "assignment_expression" if operator_of(at) == Some("=") => {
            field(at, "left").filter(|left| left.kind() == "identifier")
        }
        _ => None,
    });
    let Some((target, function)) = target.zip(context.outermost_function(node)) else { return };
    let name = context.text(target);
    let mentions = context.tree().subtree_of(function).filter(|at| at.start_byte() > node.end_byte());
    // The first mention behind it shows what is known of it there.
    let first = mentions.into_iter().find(|at| at.kind() == "identifier" && context.text(*at) == name);
    if first.is_some_and(|first| follows_pointer(context, first, HANDED_TO)) {
        out.push(context.report(&RULE, node, format!("`{name}` is used without a look whether there is memory")));
    }
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
                "void f(void) { int *a = malloc(4); a[0] = 1; }",
                "void f(struct s *b) { b = (struct s *)calloc(1, 4); b->c = 1; }",
                "void f(void) { char *a = malloc(4); memset(a, 0, 4); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(void) { int *a = malloc(4); if (!a) return; a[0] = 1; }",
                "void *f(void) { int *a = malloc(4); return a; }",
                "void f(void) { int *a; if ((a = malloc(4)) == NULL) return; a[0] = 1; }",
                "void f(void) { int *a = xmalloc(4); a[0] = 1; }",
            ],
        );
    }
}
