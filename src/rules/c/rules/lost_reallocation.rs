//! Memory that is lost when there is no more.

use super::prelude::*;
use crate::c::calls::without_casts;
use crate::c::scopes::declared_in_function;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "lost-reallocation",
    aliases: &["cppcheck:memleakOnRealloc", "clang-tidy:bugprone-suspicious-realloc-usage"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "When there is no memory, the only pointer to the old block is overwritten.",
    help: "Keep the result under another name until it was checked.",
    explanation: "`realloc` returns a null pointer when it cannot grow the block, and leaves the block as it was. A \
        result that is written over its own argument loses the block, and whoever uses the pointer next ends \
        the program.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdlib.h>

int grow(struct list *list, unsigned long size) {
    list->items = realloc(list->items, size);
    return list->items != NULL;
}
"#,
        good: r#"#include <stdlib.h>

int grow(struct list *list, unsigned long size) {
    void *items = realloc(list->items, size);
    if (items == NULL) {
        return 0;
    }
    list->items = items;
    return 1;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["assignment_expression"], check_lost_reallocation);

fn check_lost_reallocation<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right").map(without_casts)) else { return };
    let first = arguments_of(right).first().map(|first| context.text(without_casts(*first)));
    let is_same = is_library_call(context, right, &["realloc", "reallocarray"]) && first == Some(context.text(left));
    if is_same && !context.is_test_file() && !is_copy(context, left) {
        out.push(context.report(&RULE, node, format!("`{}` is lost when there is no memory", context.text(left))));
    }
}

/// True for a name that somebody else has as well: a parameter, or what was read from elsewhere.
fn is_copy(context: &CContext<'_>, name: Node<'_>) -> bool {
    let declared =
        (name.kind() == "identifier").then(|| declared_in_function(context, name, context.text(name))).flatten();
    declared.is_some_and(|declared| {
        let is_read = |value: Node<'_>| {
            matches!(
                value.kind(),
                "pointer_expression" | "binary_expression" | "field_expression" | "subscript_expression"
            )
        };
        declared.is_parameter() || declared.value().is_some_and(is_read)
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
            "example.c",
            &[
                "void f(void) { char *a = g(); a = realloc(a, 9); h(a); }",
                "void f(struct s *s) { s->b = (char *)realloc(s->b, 9); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(char *a) { char *b = realloc(a, 9); if (b) a = b; }",
                "void f(char *a) { a = xrealloc(a, 9); }",
                "int f(char **b) { char *a = *b; a = realloc(a, 9); return a != NULL; }",
            ],
        );
    }
}
