//! Lists that are made to be counted.

use super::prelude::*;
use crate::rust::calls::called_method;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "collect-to-count",
    aliases: &["clippy:needless_collect"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A list is made of everything, and only its length is used.",
    help: "Use `count()`, or `next().is_none()` to ask whether there is any.",
    explanation: "`collect` asks for memory and copies every element, to throw all of them away after one \
        question. `count()` counts without keeping; whether there is any is known after the first.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn blank_lines(text: &str) -> usize {
    text.lines().filter(|line| line.is_empty()).collect::<Vec<_>>().len()
}
",
        good: "pub fn blank_lines(text: &str) -> usize {
    text.lines().filter(|line| line.is_empty()).count()
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_collect_to_count);

fn check_collect_to_count<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((collected, "len" | "is_empty")) = called_method(context, node) else { return };
    let Some((_, "collect")) = called_method(context, collected) else { return };
    // A set counts what differs.
    let kind = field(collected, "function").map_or("", |function| context.text(function));
    let is_list =
        kind.split_whitespace().collect::<String>().ends_with("::collect::<Vec<_>>") || kind.contains("collect::<Vec<");
    if is_list && !context.is_test_code(node) {
        out.push(context.report(&RULE, node, "only the length of this list is used"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f(a: A) -> bool { a.iter().collect::<Vec<&u8>>().is_empty() }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: A) -> usize { a.iter().collect::<HashSet<_>>().len() }",
                "fn f(a: A) -> usize { a.iter().count() }",
            ],
        );
    }
}
