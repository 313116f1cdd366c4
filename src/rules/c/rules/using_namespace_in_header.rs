//! Names that headers let loose.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "using-namespace-in-header",
    aliases: &["clang-tidy:google-build-using-namespace", "cpplint:build/namespaces"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 400,
    blocking: false,
    summary: "Whoever includes this header gets all names of the namespace, wanted or not.",
    help: "Write the names out, or put the directive into a function.",
    explanation: "A directive at the top of a header holds in every file that includes it. A new function of the \
        library can then change which one is called there, without a word.",
    examples: &[Example {
        path: "example.hpp",
        bad: r#"#pragma once
#include <string>

using namespace std;

string name_of(int number);
"#,
        good: r#"#pragma once
#include <string>

std::string name_of(int number);
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["using_declaration"], check_using_namespace_in_header);

fn check_using_namespace_in_header<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let text = context.text(node);
    let is_directive = text.split_whitespace().nth(1) == Some("namespace");
    let is_inside =
        context.tree().ancestors_of(node).any(|at| matches!(at.kind(), "compound_statement" | "namespace_definition"));
    if context.is_header() && is_directive && !is_inside && !text.contains("literals") {
        out.push(context.report(&RULE, node, "every file that includes this gets all of these names"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "a.hpp", &["#pragma once\nusing namespace std;"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.hpp",
            &[
                "#pragma once\nusing std::string;",
                "#pragma once\ninline int f() { using namespace std; return 1; }",
                "#pragma once\nusing namespace std::literals;",
            ],
        );
    }
}
