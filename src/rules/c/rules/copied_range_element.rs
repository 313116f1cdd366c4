//! Loops that copy what they look at.

use super::prelude::*;
use crate::c::scopes::is_heavy_type;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "copied-range-element",
    aliases: &["clang-tidy:performance-for-range-copy"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "Each turn copies the element.",
    help: "Write `const auto&`.",
    explanation: "A loop variable without `&` is a copy of each element. Of a text or a container that means memory \
        for each turn, which is given back at its end.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"int total(const std::vector<std::string>& names) {
    int sum = 0;
    for (std::string name : names) {
        sum += name.size();
    }
    return sum;
}
"#,
        good: r#"int total(const std::vector<std::string>& names) {
    int sum = 0;
    for (const std::string& name : names) {
        sum += name.size();
    }
    return sum;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["for_range_loop"], check_copied_range_element);

fn check_copied_range_element<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let of = field(node, "type").map_or("", |of| context.text(of));
    let is_plain = field(node, "declarator").is_some_and(|it| it.kind() == "identifier");
    let name = field(node, "declarator").map_or("", |it| context.text(it));
    // A copy that is changed or moved on is wanted.
    let body = field(node, "body").map_or("", |body| context.text(body));
    let is_changed = [
        format!("move({name})"),
        format!("{name} = "),
        format!("{name} += "),
        format!("{name}.erase"),
        format!("{name}.push"),
        format!("{name}.append"),
        format!("&{name}"),
    ]
    .iter()
    .any(|change| body.contains(change.as_str()));
    if is_plain && is_heavy_type(of) && !is_changed && !context.is_test_file() {
        out.push(context.report(&RULE, node, format!("each turn copies a `{of}`")));
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
                "void f(const std::vector<std::string>& a) { for (std::string b : a) { g(b); } }",
                "void f(const M& a) { for (const std::vector<int> b : a) { g(b); } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "void f(const M& a) { for (const std::string& b : a) { g(b); } }",
                "void f(const M& a) { for (int b : a) { g(b); } }",
                "void f(const M& a) { for (auto b : a) { g(b); } }",
                "void f(const M& a) { for (std::string b : a) { g(std::move(b)); } }",
            ],
        );
    }
}
