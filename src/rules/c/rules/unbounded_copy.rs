//! Texts that are copied without a bound.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unbounded-copy",
    aliases: &["flawfinder:strcpy", "flawfinder:sprintf", "clang-tidy:clang-analyzer-security.insecureAPI.strcpy"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A text that is longer than its target overwrites what stands behind.",
    help: "Use `snprintf`, or check the length and use `memcpy`.",
    explanation: "`strcpy`, `strcat` and `sprintf` write as much as they are given, and nothing tells them how much \
        fits. A text from outside that is longer than expected overwrites other variables, and in the worst \
        case the address to return to. `snprintf(target, sizeof target, ...)` ends where the target does.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <string.h>

void remember(char *target, const char *name) {
    strcpy(target, name);
}
"#,
        good: r#"#include <stdio.h>

void remember(char *target, unsigned long size, const char *name) {
    snprintf(target, size, "%s", name);
}
"#,
    }],
    cwe: Some("CWE-120"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_unbounded_copy);

fn check_unbounded_copy<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let arguments = arguments_of(node);
    let is_literal = |at: usize| arguments.get(at).is_some_and(|argument| is_literal_text(*argument));
    let is_unbounded = if is_library_call(
        context,
        node,
        &["strcpy", "strcat", "stpcpy", "wcscpy", "wcscat", "lstrcpyA", "lstrcatA"],
    ) {
        // How long a text of the source is, is known.
        arguments.len() == 2 && !is_literal(1) && !is_sized_for(context, node)
    } else if is_library_call(context, node, &["sprintf", "vsprintf"]) {
        let writes_text = |format: &Node<'c>| {
            let text = context.text(*format);
            text.match_indices("%s").any(|(at, _)| !text.get(..at).is_some_and(|before| before.ends_with('%')))
        };
        arguments.get(1).is_some_and(|format| !is_literal_text(*format) || writes_text(format))
    } else {
        false
    };
    if is_unbounded && !context.is_test_file() {
        out.push(context.report(&RULE, node, "nothing tells this call how much fits into its target"));
    }
}

/// True where the function measures the text and makes its own room for it.
fn is_sized_for(context: &CContext<'_>, node: Node<'_>) -> bool {
    let around = context.text_around(node);
    around.contains("strlen(") && ["alloc", "new ", "sizeof"].iter().any(|room| around.contains(room))
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
                "void f(char *a, const char *b) { strcpy(a, b); }",
                "void f(char *a, const char *b) { strcat(a, b); }",
                "void f(char *a, const char *b) { sprintf(a, \"x %s\", b); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(char *a) { strcpy(a, \"x\"); }",
                "void f(char *a, int b) { sprintf(a, \"%d\", b); }",
                "void f(char *a, const char *b) { snprintf(a, 10, \"%s\", b); }",
                "char *f(const char *b) { char *a = malloc(strlen(b) + 1); strcpy(a, b); return a; }",
            ],
        );
    }
}
