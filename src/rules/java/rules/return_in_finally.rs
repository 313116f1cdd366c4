//! Ways out that swallow an exception.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "return-in-finally",
    aliases: &["pmd:ReturnFromFinallyBlock", "sonar:S1143", "errorprone:Finally"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "A `return` in `finally` throws away the exception that is on its way.",
    help: "Return behind the `try`.",
    explanation: "`finally` runs also while an exception passes. A `return` there ends the method as if all had \
        gone well, and the exception is gone; it replaces the value of a `return` in the `try` as well.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Store {
    boolean save(Order order) {
        try {
            write(order);
        } finally {
            return true;
        }
    }
}
"#,
        good: r#"class Store {
    boolean save(Order order) {
        try {
            write(order);
        } finally {
            close();
        }
        return true;
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["finally_clause"], check_return_in_finally);

fn check_return_in_finally<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if let Some(leaving) = context.tree().own_nodes_of(node).find(|at| at.kind() == "return_statement") {
        out.push(context.report(&RULE, leaving, "an exception that is on its way ends here"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "int f() { try { g(); } finally { if (a) { return 1; } } return 2; }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "int f() { try { return g(); } finally { h(() -> { return 1; }); } }",
        ]);
    }
}
