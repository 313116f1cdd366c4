//! Comparisons that can only end one way.

use super::prelude::*;
use crate::c::scopes::declared_in_function;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unsigned-below-zero",
    aliases: &["gcc:-Wtype-limits", "cppcheck:unsignedLessThanZero"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 500,
    blocking: false,
    summary: "An unsigned number is never below zero.",
    help: "Use a signed type, or compare before subtracting.",
    explanation: "An unsigned number that would fall below zero becomes a very large one. A check `< 0` is never true, \
        and a loop `>= 0` never ends.",
    examples: &[Example {
        path: "example.c",
        bad: r#"int sum(const int *items, unsigned int count) {
    int sum = 0;
    for (unsigned int i = count - 1; i >= 0; i--) {
        sum += items[i];
    }
    return sum;
}
"#,
        good: r#"int sum(const int *items, unsigned int count) {
    int sum = 0;
    for (unsigned int i = count; i > 0; i--) {
        sum += items[i - 1];
    }
    return sum;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["binary_expression"], check_unsigned_below_zero);

fn check_unsigned_below_zero<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const UNSIGNED: &[&str] =
        &["size_t", "std::size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uintptr_t", "unsigned"];
    if !matches!(operator_of(node), Some("<" | ">=")) {
        return;
    }
    let Some(name) = field(node, "left").filter(|left| left.kind() == "identifier") else { return };
    if field(node, "right").is_none_or(|right| context.text(right) != "0") {
        return;
    }
    let Some(declared) = declared_in_function(context, name, context.text(name)) else { return };
    let of = declared.type_text(context);
    if (UNSIGNED.contains(&of) || of.starts_with("unsigned ")) && !declared.is_pointer() && !declared.is_array() {
        out.push(context.report(&RULE, node, format!("`{}` is unsigned", context.text(name))));
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
            &["int f(unsigned int a) { return a < 0; }", "void f(void) { for (size_t i = 9; i >= 0; i--) { g(i); } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "int f(int a) { return a < 0; }",
                "int f(unsigned a) { return a > 0; }",
                "int f(unsigned *a) { return a[0] == 0; }",
            ],
        );
    }
}
