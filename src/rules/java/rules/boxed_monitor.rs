//! Locks that others hold as well.

use super::prelude::*;
use crate::java::scopes::declared_type;
use crate::tree::nodes::without_parentheses;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "boxed-monitor",
    aliases: &["spotbugs:DL_SYNCHRONIZATION_ON_BOXED_PRIMITIVE", "spotbugs:DL_SYNCHRONIZATION_ON_SHARED_CONSTANT", "sonar:S1860"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "The lock is a value that is shared with the rest of the program, or new each time.",
    help: "Lock a `private final Object lock = new Object()`.",
    explanation: "Small boxed numbers, booleans and literals exist once in the whole program: code that has \
        nothing to do with this waits for the same lock. A boxed number that is counted up is another object at \
        each turn, so that two threads hold different locks. Lock an object of your own.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Counter {
    private Integer count = 0;

    void add() {
        synchronized (count) {
            count++;
        }
    }
}
"#,
        good: r#"class Counter {
    private final Object lock = new Object();
    private int count = 0;

    void add() {
        synchronized (lock) {
            count++;
        }
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["synchronized_statement"], check_boxed_monitor);

const SHARED: &[&str] = &["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short", "String"];

fn check_boxed_monitor<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(lock) = children_of_kind(node, "parenthesized_expression").next().map(without_parentheses) else { return };
    let is_bad = match lock.kind() {
        "string_literal" | "object_creation_expression" => true,
        "identifier" => declared_type(context, lock).is_some_and(|of| SHARED.contains(&of)),
        _ => false,
    };
    if is_bad {
        out.push(context.report(&RULE, node, format!("`{}` is no lock of its own", context.text(lock))));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { synchronized (\"a\") { g(); } }",
            "void f() { synchronized (new Object()) { g(); } }",
            "static final String LOCK = \"l\";\nvoid f() { synchronized (LOCK) { g(); } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { synchronized (this) { g(); } }",
            "final Object lock = new Object();\nvoid f() { synchronized (lock) { g(); } }",
        ]);
    }
}
