//! Objects that nobody owns.

use super::prelude::*;
use crate::c::scopes::{Declared, name_of_declarator};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "raw-new",
    aliases: &["clang-tidy:cppcoreguidelines-owning-memory"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 400,
    blocking: false,
    summary: "An object that `new` gives to a plain pointer is lost on every way that forgets it.",
    help: "Use `std::make_unique`, a container, or a member that owns it.",
    explanation: "An exception, an early return or a second `delete` is all it takes, and the object is lost or given \
        back twice. An owner gives it back on every way out.",
    examples: &[Example {
        path: "example.cpp",
        bad: r#"int total(int count) {
    Cart* cart = new Cart(count);
    int sum = cart->total();
    delete cart;
    return sum;
}
"#,
        good: r#"#include <memory>

int total(int count) {
    auto cart = std::make_unique<Cart>(count);
    return cart->total();
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["new_expression"], check_raw_new);

fn check_raw_new<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_test_file() || context.text(node).starts_with("new (") {
        return;
    }
    let Some(declarator) = context.tree().parent_of(node).filter(|of| of.kind() == "init_declarator") else { return };
    let Some(holder) = context.tree().parent_of(declarator).filter(|of| of.kind() == "declaration") else { return };
    let declared = Declared { holder, declarator };
    let is_plain = field(declarator, "declarator").is_some_and(|it| it.kind() == "pointer_declarator")
        || declared.type_text(context) == "auto";
    let name = context.text(name_of_declarator(declarator));
    let Some(function) = context.outermost_function(node).filter(|_| is_plain) else { return };
    let mut deleted = context.tree().subtree_of(function).filter(|at| at.kind() == "delete_expression");
    // What is kept elsewhere when all goes well has an owner.
    let mut mentions =
        context.tree().subtree_of(function).filter(|at| at.kind() == "identifier" && context.text(*at) == name);
    let is_kept = mentions.any(|at| {
        context.tree().parent_of(at).is_some_and(|of| match of.kind() {
            "return_statement" => true,
            "assignment_expression" => field(of, "right").is_some_and(|right| right.id() == at.id()),
            _ => false,
        })
    });
    // Given back here means owned here.
    if !is_kept && deleted.any(|at| named_children(at).last().is_some_and(|what| context.text(what) == name)) {
        out.push(context.report(&RULE, node, format!("`{name}` is lost on every way that passes its `delete`")));
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
                "int f() { A* a = new A(1); int b = a->b(); delete a; return b; }",
                "void f() { auto a = new int[9]; g(a); delete[] a; }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.cpp",
            &[
                "auto f() { auto a = std::make_unique<A>(1); return a->b(); }",
                "A* f() { A* a = new A(1); return a; }",
                "bool f(A** b) { A* a = new A(1); if (a->bad()) { delete a; return false; } *b = a; return true; }",
                "void f() { std::unique_ptr<A> a(new A(1)); }",
                "void f(A* a) { delete a; }",
            ],
        );
    }
}
