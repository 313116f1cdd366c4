//! Conditions that decide nothing.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "empty-control-body",
    aliases: &["checkstyle:EmptyStatement", "pmd:EmptyControlStatement", "errorprone:EmptyIf", "sonar:S1116"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "A semicolon behind the condition is its whole body.",
    help: "Take the semicolon away.",
    explanation: "The `;` ends the `if`, and the block behind it runs whatever the condition says. It looks \
        right to nearly every reader.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Door {
    void open(boolean locked) {
        if (!locked);
        {
            swing();
        }
    }
}
"#,
        good: r#"class Door {
    void open(boolean locked) {
        if (!locked) {
            swing();
        }
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["if_statement"], check_empty_control_body);

fn check_empty_control_body<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if field(node, "consequence").is_some_and(|body| context.text(body) == ";") {
        out.push(context.report(&RULE, node, "the condition decides nothing"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { if (a) ; g(); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { if (a) { } }",
            "void f() { for (;;) ; }",
        ]);
    }
}
