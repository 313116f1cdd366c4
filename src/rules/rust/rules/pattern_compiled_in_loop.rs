//! Patterns that are made anew at each turn.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_call_of, string_literal};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "pattern-compiled-in-loop",
    aliases: &["clippy:regex_creation_in_loops"],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "A regular expression is compiled at each turn of the loop, which costs more than searching with \
        it.",
    help: "Compile it once, before the loop or in a `LazyLock`.",
    explanation: "To compile a pattern is to build a machine that finds it: thousands of times the work of one \
        search. In a loop it is built and thrown away at each turn.",
    examples: &[Example {
        path: "example.rs",
        bad: r#"pub fn numbers(lines: &[String]) -> Result<usize, regex::Error> {
    let mut count = 0;
    for line in lines {
        count += regex::Regex::new("[0-9]+")?.find_iter(line).count();
    }
    Ok(count)
}
"#,
        good: r#"pub fn numbers(lines: &[String]) -> Result<usize, regex::Error> {
    let pattern = regex::Regex::new("[0-9]+")?;
    Ok(lines.iter().map(|line| pattern.find_iter(line).count()).sum())
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_pattern_compiled_in_loop);

const MAKERS: &[&str] =
    &["Regex::new", "RegexBuilder::new", "Glob::new", "GlobBuilder::new", "Pattern::new", "Selector::parse"];

fn check_pattern_compiled_in_loop<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, MAKERS) || context.is_aside(node) {
        return;
    }
    // A pattern that differs at each turn has to be compiled at each turn.
    let is_fixed = arguments_of(node).first().is_some_and(|pattern| string_literal(context, *pattern).is_some());
    let is_repeated = context
        .loop_around(node)
        .is_some_and(|around| field(around, "body").is_some_and(|body| body.start_byte() < node.start_byte()));
    if is_fixed && is_repeated {
        out.push(context.report(&RULE, node, "this pattern is compiled at each turn"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[r#"use regex::Regex;
fn f() { while g() { let a = Regex::new(r"\d"); h(a); } }"#],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "use regex::Regex;
fn f() { for a in b { let c = Regex::new(a); h(c); } }",
                r#"use regex::Regex;
fn f() { for a in Regex::new("a").find_iter(b) { h(a); } }"#,
            ],
        );
    }
}
