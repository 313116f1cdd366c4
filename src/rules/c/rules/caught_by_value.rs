//! Exceptions that lose what they are.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "caught-by-value",
    aliases: &["clang-tidy:misc-throw-by-value-catch-by-reference", "cppcheck:catchExceptionByValue"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "An exception that is caught by value is cut down to the type that is named.",
    help: "Catch by reference: `const std::exception&`.",
    explanation: "Catching by value copies the exception into an object of the named type. What a more special type \
        knew is cut off, and a virtual `what()` tells of the general one.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"void run() {
    try {
        work();
    } catch (std::exception error) {
        report(error.what());
    }
}
"#,
        good: r#"void run() {
    try {
        work();
    } catch (const std::exception& error) {
        report(error.what());
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["catch_clause"], check_caught_by_value);

fn check_caught_by_value<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let parameter = field(node, "parameters").and_then(|list| children_of_kind(list, "parameter_declaration").next());
    let Some(parameter) = parameter else { return };
    let of = field(parameter, "type").map_or("", |of| context.text(of));
    let is_class =
        field(parameter, "type").is_some_and(|of| matches!(of.kind(), "qualified_identifier" | "type_identifier"));
    let declarator = field(parameter, "declarator").map_or("identifier", |it| it.kind());
    // `status_t`: so C calls its numbers.
    if is_class && declarator == "identifier" && !of.ends_with("_t") {
        out.push(context.report(&RULE, parameter, format!("`{of}` is copied, and cut down to its type")));
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
            "a.cpp",
            &[
                "void f() { try { g(); } catch (std::exception e) { h(e); } }",
                "void f() { try { g(); } catch (Error) { h(); } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "void f() { try { g(); } catch (const std::exception& e) { h(e); } }",
                "void f() { try { g(); } catch (int e) { h(e); } }",
                "void f() { try { g(); } catch (status_t e) { h(e); } }",
                "void f() { try { g(); } catch (const char* e) { h(e); } }",
                "void f() { try { g(); } catch (...) { h(); } }",
            ],
        );
    }
}
