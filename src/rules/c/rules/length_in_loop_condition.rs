//! Texts that are measured at each turn.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "length-in-loop-condition",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "The text is gone through at each turn of the loop.",
    help: "Measure it once, before the loop.",
    explanation: "`strlen` goes through the text to its end. As the condition of a loop over the same text it makes \
        the work grow with the square of the length; a compiler can only help where nothing in the loop may \
        change the text.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <string.h>

int count(const char *text) {
    int found = 0;
    for (unsigned long i = 0; i < strlen(text); i++) {
        found += text[i] == ' ';
    }
    return found;
}
"#,
        good: r#"int count(const char *text) {
    int found = 0;
    for (; *text != 0; text++) {
        found += *text == ' ';
    }
    return found;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["for_statement", "while_statement"], check_length_in_loop_condition);

fn check_length_in_loop_condition<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(condition) = field(node, "condition") else { return };
    let mut parts = context.tree().subtree_of(condition);
    let measured = parts.find(|part| is_library_call(context, *part, &["strlen", "wcslen"]));
    // Without an index the text itself is what moves.
    let is_index = |part: Node<'c>| {
        part.kind() == "binary_expression" && matches!(operator_of(part), Some("<" | "<=" | "!=" | ">"))
    };
    let has_index = measured.and_then(|call| context.tree().parent_of(call)).is_some_and(is_index);
    if let Some(call) = measured.filter(|_| has_index && !context.is_test_file()) {
        out.push(context.report(&RULE, call, "the text is measured at each turn"));
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
                "void f(const char *a) { for (int i = 0; i < strlen(a); i++) { g(a[i]); } }",
                "void f(const char *a, int i) { while (i < strlen(a)) { i++; } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(const char *a) { int n = strlen(a); for (int i = 0; i < n; i++) { g(a[i]); } }",
                "void f(const char *a) { if (1 < strlen(a)) { g(); } }",
            ],
        );
    }
}
