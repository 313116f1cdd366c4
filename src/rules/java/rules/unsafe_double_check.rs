//! Values that another thread sees half made.

use super::prelude::*;
use crate::tree::nodes::{operator_of, without_parentheses};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unsafe-double-check",
    aliases: &["spotbugs:DC_DOUBLECHECK", "sonar:S2168", "pmd:DoubleCheckedLocking"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "A value that is made on first use may be seen half made by another thread.",
    help: "Declare the field `volatile`, or make the value in a holder class.",
    explanation: "The first look at the field is outside of the lock, and without `volatile` the thread that \
        looks may see the reference before what it points to. Declare the field `volatile`, or let a nested \
        class hold the value.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Registry {
    private static Registry instance;

    static Registry get() {
        if (instance == null) {
            synchronized (Registry.class) {
                if (instance == null) {
                    instance = new Registry();
                }
            }
        }
        return instance;
    }
}
"#,
        good: r#"class Registry {
    private static class Holder {
        static final Registry INSTANCE = new Registry();
    }

    static Registry get() {
        return Holder.INSTANCE;
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["if_statement"], check_unsafe_double_check);

fn check_unsafe_double_check<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(name) = tested_for_null(context, node) else { return };
    let Some(inside) = field(node, "consequence") else { return };
    let mut locks = context.tree().subtree_of(inside).filter(|at| at.kind() == "synchronized_statement");
    let is_checked_again = locks.any(|lock| {
        let again = context.tree().subtree_of(lock).any(|at| at.kind() == "if_statement" && tested_for_null(context, at) == Some(name));
        let assigns = context.tree().subtree_of(lock).any(|at| {
            at.kind() == "assignment_expression" && field(at, "left").is_some_and(|left| context.text(left).trim_start_matches("this.") == name)
        });
        again && assigns
    });
    let holder = context.field_declarator(name).and_then(|declarator| context.tree().parent_of(declarator));
    if is_checked_again && holder.is_some_and(|holder| !context.has_modifier(holder, "volatile")) {
        out.push(context.report(&RULE, node, format!("`{name}` is read without the lock and is not volatile")));
    }
}

/// The name in `name == null`.
fn tested_for_null<'c>(context: &JavaContext<'c>, conditional: Node<'_>) -> Option<&'c str> {
    let condition = without_parentheses(field(conditional, "condition")?);
    let is_test = operator_of(condition) == Some("==") && field(condition, "right")?.kind() == "null_literal";
    is_test.then(|| field(condition, "left")).flatten().map(|left| context.text(left).trim_start_matches("this."))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "private Foo a;\nFoo f() { if (a == null) { synchronized (this) { if (a == null) { a = new Foo(); } } } return a; }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "private volatile Foo a;\nFoo f() { if (a == null) { synchronized (this) { if (a == null) { a = new Foo(); } } } return a; }",
            "private Foo a;\nFoo f() { synchronized (this) { if (a == null) { a = new Foo(); } } return a; }",
        ]);
    }
}
