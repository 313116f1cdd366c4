//! Prints that were left behind.

use super::prelude::*;
use crate::rust::macros::macro_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "debug-macro",
    aliases: &["clippy:dbg_macro"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "`dbg!` prints to everybody who runs the program.",
    help: "Remove it, or log what is of lasting use.",
    explanation: "`dbg!` is made for the minutes of a search: it prints a line of the source and a value to the \
        standard error of whoever uses the program. What is worth keeping goes through a logger, which \
        has a level and can be turned off.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn total(prices: &[u32]) -> u32 {
    dbg!(prices.iter().sum())
}
",
        good: "pub fn total(prices: &[u32]) -> u32 {
    prices.iter().sum()
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["macro_invocation"], check_debug_macro);

fn check_debug_macro<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if macro_name(context, node) == Some("dbg") && !context.is_aside(node) {
        out.push(context.report(&RULE, node, "this prints to whoever runs the program"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f(a: u8) -> u8 { std::dbg!(a) }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: u8) { tracing::debug!(a); }",
                "#[test]
fn f() { dbg!(1); }",
            ],
        );
    }
}
