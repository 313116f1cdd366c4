//! Destructors that throw.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "throwing-destructor",
    aliases: &["clang-tidy:bugprone-exception-escape", "cppcheck:exceptThrowInDestructor"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "An exception out of a destructor ends the program.",
    help: "Handle it in the destructor, or move what can fail into a function of its own.",
    explanation: "Destructors are `noexcept` unless told otherwise, and one that throws calls `std::terminate`. While \
        another exception is on its way that is so in any case.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"class Log {
 public:
  ~Log() {
    if (!flush()) {
      throw std::runtime_error("not written");
    }
  }
};
"#,
        good: r#"class Log {
 public:
  void close() {
    if (!flush()) {
      throw std::runtime_error("not written");
    }
  }
  ~Log() { flush(); }
};
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["throw_statement"], check_throwing_destructor);

fn check_throwing_destructor<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let function = context.tree().ancestors_of(node).find(|at| context.tree().is_function(*at));
    let Some(declarator) = function.and_then(|function| field(function, "declarator")) else { return };
    let is_allowed = context.text(declarator).contains("noexcept(false)");
    let is_caught = context.tree().ancestors_of(node).any(|at| at.kind() == "try_statement");
    let is_destructor = context.tree().subtree_of(declarator).any(|at| at.kind() == "destructor_name");
    if is_destructor && !is_allowed && !is_caught {
        out.push(context.report(&RULE, node, "an exception out of a destructor ends the program"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "a.cpp", &["struct A { ~A() { throw 1; } };", "A::~A() { if (b) { throw E(); } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "struct A { ~A() noexcept(false) { throw 1; } };",
                "A::~A() { try { throw 1; } catch (...) { g(); } }",
                "void f() { throw 1; }",
            ],
        );
    }
}
