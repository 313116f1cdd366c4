//! Conditions that assign.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "assignment-as-condition",
    aliases: &["gcc:-Wparentheses", "clang-tidy:bugprone-assignment-in-if-condition"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "A condition assigns where a comparison may be meant.",
    help: "Write `==`, or put a second pair of brackets around an assignment that is meant.",
    explanation: "`if (a = b)` changes `a` and asks whether `b` is zero; nearly always `==` was meant. Compilers and \
        readers take a second pair of brackets, or a comparison of the result, as a sign that it is on \
        purpose.",
    examples: &[Example {
        path: "example.c",
        bad: r#"int is_done(int state) {
    if (state = 3) {
        return 1;
    }
    return 0;
}
"#,
        good: r#"int is_done(int state) {
    if (state == 3) {
        return 1;
    }
    return 0;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["if_statement", "while_statement"], check_assignment_as_condition);

fn check_assignment_as_condition<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(condition) = field(node, "condition") else { return };
    let inner = named_children(condition).next();
    // In C++ a clause holds the value.
    let inner = if condition.kind() == "condition_clause" { field(condition, "value").or(inner) } else { inner };
    let Some(assignment) = inner.filter(|it| it.kind() == "assignment_expression" && operator_of(*it) == Some("="))
    else {
        return;
    };
    // What a call gives is often kept and tested at once.
    let is_value = field(assignment, "right").is_some_and(|right| {
        matches!(
            right.kind(),
            "number_literal" | "identifier" | "true" | "false" | "null" | "char_literal" | "string_literal"
        )
    });
    if is_value {
        out.push(context.report(&RULE, assignment, "this assigns and compares nothing"));
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
            &["void f(int a) { if (a = 1) { g(); } }", "void f(int a, int b) { while (a = b) { g(); } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(int a) { if (a == 1) { g(); } }",
                "void f(int a, int b) { if ((a = b)) { g(); } }",
                "void f(char *a) { while ((a = next(a)) != 0) { g(); } }",
                "void f(int a) { if (a = g()) { h(); } }",
            ],
        );
    }
}
