//! Casts that do whatever it takes.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "c-style-cast",
    aliases: &[
        "clang-tidy:cppcoreguidelines-pro-type-cstyle-cast",
        "cppcheck:cstyleCast",
        "cpplint:readability/casting",
    ],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 100,
    blocking: false,
    summary: "A cast in the style of C converts whatever it takes, and takes `const` away as well.",
    help: "Use `static_cast`, or the other named cast that says what is meant.",
    explanation: "A cast with brackets is a `static_cast` where that is possible, else a `reinterpret_cast`, and takes \
        `const` away on the way. When a type changes later, it silently becomes another one. Named casts say \
        what is meant and stop the compiler when it does not hold.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"Derived* narrow(const Base* base) {
    return (Derived*)base;
}
"#,
        good: r#"const Derived* narrow(const Base* base) {
    return static_cast<const Derived*>(base);
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["cast_expression"], check_c_style_cast);

fn check_c_style_cast<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    // Numbers lose nothing but digits, and `(void)` says that a value is not wanted.
    let is_pointer = field(node, "type").is_some_and(|of| field(of, "declarator").is_some());
    let is_zero = field(node, "value").is_some_and(|value| matches!(context.text(value), "0" | "NULL" | "nullptr"));
    if context.is_cpp() && is_pointer && !is_zero && !context.is_test_file() {
        out.push(context.report(&RULE, node, "this cast converts whatever it takes"));
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
            &["A* f(B* b) { return (A*)b; }", "void f(const char* a) { g((unsigned char*)a); }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "A* f(B* b) { return static_cast<A*>(b); }",
                "void f(int a) { (void)a; }",
                "double f(int a) { return (double)a; }",
                "A* f() { return (A*)0; }",
            ],
        );
    }
}
