//! Loops and conditions without a body.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "stray-semicolon",
    aliases: &["gcc:-Wempty-body", "clang-tidy:bugprone-suspicious-semicolon"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "A semicolon ends the condition, and what follows runs in any case.",
    help: "Take the semicolon away, or write `{}` where nothing is to be done.",
    explanation: "A `;` behind `if (…)` or `for (…)` is its whole body. The block below then belongs to nothing, and \
        runs once whatever the condition says.",
    examples: &[Example {
        path: "example.c",
        bad: r#"int clamp(int value) {
    if (value < 0);
    {
        value = 0;
    }
    return value;
}
"#,
        good: r#"int clamp(int value) {
    if (value < 0) {
        value = 0;
    }
    return value;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner =
    CRunner::Kinds(&["if_statement", "for_statement", "while_statement"], check_stray_semicolon);

fn check_stray_semicolon<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let body = field(node, "body").or_else(|| field(node, "consequence"));
    let Some(body) = body.filter(|body| body.kind() == "expression_statement" && context.text(*body) == ";") else {
        return;
    };
    let head = context.tree().source_text().get(node.start_byte()..body.start_byte()).unwrap_or_default();
    // A loop whose head does the work has its semicolon apart, or none that follows.
    let is_beside = head.ends_with(')');
    let is_block_next = || {
        let siblings = context.tree().parent_of(node).into_iter().flat_map(named_children);
        siblings.skip_while(|at| at.id() != node.id()).nth(1).is_some_and(|next| next.kind() == "compound_statement")
    };
    if is_beside && (is_block_next() || node.kind() == "if_statement" && field(node, "alternative").is_none()) {
        out.push(context.report(&RULE, body, "this semicolon is the whole body"));
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
            &["void f(int a) { if (a); { g(); } }", "void f(int a) { for (int i = 0; i < a; i++); { g(); } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(char *a) { while (*a++ != 0); g(a); }",
                "void f(int a) { if (a) { g(); } { h(); } }",
                "void f(int a) { if (a) ; else g(); }",
            ],
        );
    }
}
