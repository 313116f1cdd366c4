//! Lines that are written one by one.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "endl-in-loop",
    aliases: &["clang-tidy:performance-avoid-endl"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "Each turn waits until the line is written.",
    help: "Write `'\\n'`.",
    explanation: "`std::endl` ends the line and then hands everything to the system. In a loop that is one call of the \
        system for each line, where one would do for thousands.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"void print(const std::vector<int>& items) {
    for (int item : items) {
        std::cout << item << std::endl;
    }
}
"#,
        good: r#"void print(const std::vector<int>& items) {
    for (int item : items) {
        std::cout << item << '\n';
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["qualified_identifier"], check_endl_in_loop);

fn check_endl_in_loop<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_endl = context.text(node) == "std::endl";
    if is_endl && context.loop_around(node).is_some() && !context.is_test_file() && !is_for_errors(context, node) {
        out.push(context.report(&RULE, node, "each turn waits until the line is written"));
    }
}

/// Streams of errors, which are to be seen at once, and of log macros, which write each line out in any case.
const WRITTEN_AT_ONCE: &[&str] = &["std::cerr", "LOG(", "VLOG(", "DLOG("];

fn is_for_errors(context: &CContext<'_>, node: Node<'_>) -> bool {
    let mut above = context.tree().ancestors_of(node);
    let statement = above.find(|at| at.kind() == "expression_statement").map_or("", |at| context.text(at));
    WRITTEN_AT_ONCE.iter().any(|stream| statement.starts_with(stream))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "a.cpp", &["void f(const V& a) { for (int b : a) { std::cout << b << std::endl; } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "void f(int a) { std::cout << a << std::endl; }",
                "void f(const V& a) { for (int b : a) { std::cout << b << '\\n'; } }",
                "void f() { while (a) { std::cerr << a << std::endl; } }",
                "void f() { while (a) { LOG(INFO) << a << std::endl; } }",
            ],
        );
    }
}
