//! Exceptions that vanish.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "empty-handler",
    aliases: &["clang-tidy:bugprone-empty-catch", "sonar:S2486"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "An exception is caught, and nothing is done about it.",
    help: "Handle it, let it pass, or write down in the block why it does not matter.",
    explanation: "What went wrong is gone without a trace, and the program goes on as if it had worked. Handle the \
        exception or let it pass. Where it truly does not matter, a comment in the block says so.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"int port(const std::string& text) {
    try {
        return std::stoi(text);
    } catch (const std::exception& error) {
    }
    return 0;
}
"#,
        good: r#"int port(const std::string& text) {
    try {
        return std::stoi(text);
    } catch (const std::exception& error) {
        throw ConfigError("not a port: " + text);
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["catch_clause"], check_empty_handler);

fn check_empty_handler<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    // A comment says why.
    let is_empty = field(node, "body").is_some_and(|body| body.named_child_count() == 0);
    if is_empty && !context.is_test_file() && !is_in_destructor(context, node) {
        out.push(context.report(&RULE, node, "what is caught here is forgotten"));
    }
}

/// A destructor must let nothing out.
fn is_in_destructor(context: &CContext<'_>, node: Node<'_>) -> bool {
    let function = context.outermost_function(node).and_then(|function| field(function, "declarator"));
    function.is_some_and(|declarator| context.text(declarator).contains('~'))
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
            &["void f() { try { g(); } catch (...) { } }", "void f() { try { g(); } catch (const E& e) { } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "void f() { try { g(); } catch (...) { /* the file is optional */ } }",
                "void f() { try { g(); } catch (const E& e) { h(e); } }",
                "A::~A() { try { g(); } catch (...) { } }",
            ],
        );
    }
}
