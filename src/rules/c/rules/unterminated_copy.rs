//! Texts that are copied without their end.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unterminated-copy",
    aliases: &[
        "cppcheck:terminateStrncpy",
        "gcc:-Wstringop-truncation",
        "clang-tidy:bugprone-not-null-terminated-result",
    ],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A text as long as its target is copied without the zero that ends it.",
    help: "Use `snprintf`, or set the last byte to zero behind the copy.",
    explanation: "`strncpy` stops when the target is full, and then writes no zero. Whoever reads the text later reads \
        on into what stands behind. Leave room for one byte and set it: `target[sizeof target - 1] = 0`.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <string.h>

void remember(const char *name) {
    char target[32];
    strncpy(target, name, sizeof(target));
    publish(target);
}
"#,
        good: r#"#include <stdio.h>

void remember(const char *name) {
    char target[32];
    snprintf(target, sizeof(target), "%s", name);
    publish(target);
}
"#,
    }],
    cwe: Some("CWE-170"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_unterminated_copy);

fn check_unterminated_copy<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let arguments = arguments_of(node);
    let [target, _, size] = arguments[..] else { return };
    if !is_library_call(context, node, &["strncpy", "std::strncpy", "wcsncpy"]) || context.is_test_file() {
        return;
    }
    let name = context.text(target);
    let is_whole = size.kind() == "sizeof_expression"
        && context.text(size).trim_start_matches("sizeof").trim_matches(['(', ')', ' ']) == name;
    let around = context.text_around(node);
    let is_ended = around.contains(&format!("{name}["))
        && (around.contains("= 0") || around.contains("= '\\0'") || around.contains("='\\0'") || around.contains("=0"));
    let is_cleared = around.contains(&format!("memset({name}")) || around.contains(&format!("memset(&{name}"));
    if is_whole && !is_ended && !is_cleared {
        out.push(context.report(&RULE, node, "no zero ends a text that is as long as the target"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "example.c", &["void f(const char *b) { char a[9]; strncpy(a, b, sizeof(a)); g(a); }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(const char *b) { char a[9]; strncpy(a, b, sizeof(a)); a[8] = 0; g(a); }",
                "void f(const char *b) { char a[9]; strncpy(a, b, sizeof(a) - 1); g(a); }",
                "void f(const char *b) { char a[9]; strncpy(a, b, sizeof a); a[sizeof a - 1] = '\\0'; g(a); }",
            ],
        );
    }
}
