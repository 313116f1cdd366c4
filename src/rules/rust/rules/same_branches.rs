//! Conditions that decide nothing.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "same-branches",
    aliases: &["clippy:if_same_then_else"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "Both branches are the same, so the condition decides nothing.",
    help: "Remove the condition, or write what was meant for one of them.",
    explanation: "An `if` whose branches are equal was copied and not finished, or is left over from a change. \
        Readers look for a difference that is not there.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn fee(order: &Order) -> u32 {
    if order.express {
        order.weight * 4 + BASE
    } else {
        order.weight * 4 + BASE
    }
}
",
        good: "pub fn fee(order: &Order) -> u32 {
    order.weight * if order.express { 8 } else { 4 } + BASE
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["if_expression"], check_same_branches);

fn check_same_branches<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(first), Some(clause)) = (field(node, "consequence"), field(node, "alternative")) else { return };
    let Some(other) = named_children(clause).next() else { return };
    let words = |block: Node<'_>| context.text(block).split_whitespace().collect::<Vec<_>>().join(" ");
    // What is short may be equal by chance, and a chain lists cases; a pattern binds what its branch means.
    let is_chain = context.tree().parent_of(node).is_some_and(|parent| parent.kind() == "else_clause");
    let binds = field(node, "condition").is_some_and(|condition| context.text(condition).contains("let "));
    let text = words(first);
    if other.kind() == "block"
        && text == words(other)
        && text.len() > 8
        && !is_chain
        && !binds
        && !context.is_aside(node)
    {
        out.push(context.report(&RULE, node, "both branches are the same"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f() { if a { call(1); } else { call(1); } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f() { if a { call(1); } else { call(2); } }",
                "fn f() { if a { call(1); } else if b { call(2); } else { call(2); } }",
                "fn f() { if a {} else {} }",
            ],
        );
    }
}
