//! Parameters that are copied for nothing.

use super::prelude::*;
use crate::c::scopes::is_heavy_type;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "heavy-parameter-by-value",
    aliases: &["clang-tidy:performance-unnecessary-value-param", "cppcheck:passedByValue"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "Each call copies the argument, and the copy is only read.",
    help: "Take `const …&`, or move the copy on.",
    explanation: "A parameter without `&` is a copy. Of a text or a container that means memory for each call. Taking \
        by value is right where the function keeps it and moves it to its place.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"bool is_open(std::string name) {
    return name.empty();
}
"#,
        good: r#"bool is_open(const std::string& name) {
    return name.empty();
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["parameter_declaration"], check_heavy_parameter_by_value);

fn check_heavy_parameter_by_value<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let of = field(node, "type").map_or("", |of| context.text(of));
    let Some(name) = field(node, "declarator").filter(|it| it.kind() == "identifier").map(|it| context.text(it)) else {
        return;
    };
    let function = context.tree().ancestors_of(node).find(|at| context.tree().is_function(*at));
    let Some(body) = function.filter(|of| of.kind() == "function_definition").and_then(|of| field(of, "body")) else {
        return;
    };
    // The list of initialisers stands before the body.
    let whole = function.map_or("", |function| context.text(function));
    let is_of_function = context.tree().ancestors_of(node).nth(1).is_some_and(|of| of.kind() == "function_declarator");
    let is_kept = [format!("move({name})"), format!("({name})"), "forward<".to_owned(), "swap(".to_owned()]
        .iter()
        .any(|way| whole.contains(way.as_str()));
    let mut mentions =
        context.tree().subtree_of(body).filter(|at| at.kind() == "identifier" && context.text(*at) == name).peekable();
    let is_used = mentions.peek().is_some();
    let is_only_read = mentions.all(|at| is_read(context, at));
    if is_heavy_type(of) && is_of_function && is_used && is_only_read && !is_kept && !context.is_test_file() {
        out.push(context.report(&RULE, node, format!("each call copies `{name}`")));
    }
}

/// True for a mention that changes nothing: a method that asks, a comparison, a part of a sum.
fn is_read(context: &CContext<'_>, mention: Node<'_>) -> bool {
    const ASKING: &[&str] = &[
        "at", "back", "begin", "c_str", "cbegin", "cend", "compare", "count", "data", "empty", "end", "find", "front",
        "length", "size", "substr",
    ];
    context.tree().parent_of(mention).is_some_and(|parent| match parent.kind() {
        "field_expression" => field(parent, "field").is_some_and(|name| ASKING.contains(&context.text(name))),
        "binary_expression" | "for_range_loop" => true,
        _ => false,
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
            "a.cpp",
            &["bool f(std::string a) { return a.empty(); }", "int f(std::vector<int> a) { return a.size() + 1; }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "bool f(const std::string& a) { return a.empty(); }",
                "A::A(std::string a) : a_(std::move(a)) {}",
                "void f(std::string a) { a += \"x\"; g(a); }",
                "bool f(std::string_view a) { return a.empty(); }",
                "void f(std::string a);",
            ],
        );
    }
}
