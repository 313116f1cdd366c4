//! Arrays that are given back as one object.

use super::prelude::*;
use crate::c::scopes::name_of_declarator;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "delete-of-array",
    aliases: &[
        "cppcheck:mismatchAllocDealloc",
        "gcc:-Wmismatched-new-delete",
        "clang-tidy:clang-analyzer-unix.MismatchedDeallocator",
    ],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "What `new[]` made is given back by `delete[]`, and what `new` made by `delete`.",
    help: "Use the form that fits, or better a container.",
    explanation: "An array knows how many objects it holds, and only `delete[]` looks. The wrong form destroys one \
        object of many, or reads a count that is not there; what happens then is not defined.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"void fill(int count) {
    int* items = new int[count];
    use(items);
    delete items;
}
"#,
        good: r#"#include <vector>

void fill(int count) {
    std::vector<int> items(count);
    use(items.data());
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["delete_expression"], check_delete_of_array);

fn check_delete_of_array<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(what) = named_children(node).last().filter(|what| what.kind() == "identifier") else { return };
    let Some(function) = context.outermost_function(node) else { return };
    let name = context.text(what);
    let before = context.tree().subtree_of(function).take_while(|at| at.start_byte() < node.start_byte());
    let given = before.into_iter().filter_map(|at| match at.kind() {
        "init_declarator" => field(at, "declarator").map(name_of_declarator).zip(field(at, "value")),
        "assignment_expression" => field(at, "left").zip(field(at, "right")),
        _ => None,
    });
    let made = given.filter(|(target, value)| context.text(*target) == name && value.kind() == "new_expression").last();
    let Some((_, made)) = made else { return };
    let is_array = children_of_kind(made, "new_declarator").next().is_some();
    let as_array = context.text(node).trim_start_matches("delete").trim_start().starts_with('[');
    if is_array != as_array {
        let form = if is_array { "delete[]" } else { "delete" };
        out.push(context.report(&RULE, node, format!("`{name}` is given back by `{form}`")));
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
            &["void f() { int* a = new int[9]; g(a); delete a; }", "void f() { A* a = new A(1); delete[] a; }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "void f() { int* a = new int[9]; delete[] a; }",
                "void f() { A* a = new A(1); delete a; }",
                "void f(int* a) { delete a; }",
            ],
        );
    }
}
