//! Bases whose heirs are destroyed by half.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "destructor-not-virtual",
    aliases: &[
        "gcc:-Wnon-virtual-dtor",
        "clang-tidy:cppcoreguidelines-virtual-class-destructor",
        "cppcheck:virtualDestructor",
    ],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 500,
    blocking: false,
    summary: "Deleted through a pointer to this base, an heir is destroyed by half.",
    help: "Make the destructor `virtual`, or protected.",
    explanation: "A class with virtual functions is made to be used through pointers to it. `delete` on such a pointer \
        calls the destructor of the pointer's type alone, unless that one is virtual: what heirs hold is \
        lost, and what happens is not defined.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"class Shape {
 public:
  virtual double area() const = 0;
  ~Shape() {}
};
"#,
        good: r#"class Shape {
 public:
  virtual double area() const = 0;
  virtual ~Shape() = default;
};
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["class_specifier", "struct_specifier"], check_destructor_not_virtual);

fn check_destructor_not_virtual<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(body) = field(node, "body") else { return };
    // An heir has what its base has, and a class that nobody may inherit from has no heirs.
    let is_heir = children_of_kind(node, "base_class_clause").next().is_some();
    let head = context.tree().source_text().get(node.start_byte()..body.start_byte()).unwrap_or_default();
    if is_heir || head.contains(" final") {
        return;
    }
    let is_virtual = |member: Node<'c>| context.text(member).trim_start().starts_with("virtual");
    let is_destructor = |member: Node<'c>| {
        let declarator = field(member, "declarator");
        declarator.is_some_and(|it| context.tree().subtree_of(it).any(|at| at.kind() == "destructor_name"))
    };
    let (mut access, mut has_virtual, mut destructor) =
        (if node.kind() == "class_specifier" { "private" } else { "public" }, false, None);
    for member in named_children(body) {
        match member.kind() {
            "access_specifier" => access = context.text(member).trim_end_matches(':').trim(),
            "field_declaration" | "function_definition" | "declaration" if is_destructor(member) => {
                destructor = Some((member, access, is_virtual(member)))
            }
            "field_declaration" | "function_definition" | "declaration" => has_virtual |= is_virtual(member),
            _ => {}
        }
    }
    if let Some((member, "public", false)) = destructor.filter(|_| has_virtual) {
        out.push(context.report(&RULE, member, "an heir that is deleted through this base is destroyed by half"));
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
                "struct A { virtual int f(); ~A(); };",
                "class A { public: virtual int f() { return 1; } ~A() { g(); } };",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "struct A { virtual int f(); virtual ~A(); };",
                "class A { public: virtual int f(); protected: ~A(); };",
                "struct A { int f(); ~A(); };",
                "struct A : B { virtual int f(); ~A(); };",
                "struct A final { virtual int f(); ~A(); };",
            ],
        );
    }
}
