//! Memory that is lost when there is no more.

use super::prelude::*;
use crate::c::calls::without_casts;

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
    if is_same && !context.is_test_file() {
        out.push(context.report(&RULE, node, format!("`{}` is lost when there is no memory", context.text(left))));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "example.c", &[
            "void f(char *a) { a = realloc(a, 9); g(a); }",
            "void f(struct s *s) { s->b = (char *)realloc(s->b, 9); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(&RULE, "example.c", &[
            "void f(char *a) { char *b = realloc(a, 9); if (b) a = b; }",
            "void f(char *a) { a = xrealloc(a, 9); }",
        ]);
    }
}
