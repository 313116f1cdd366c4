//! Comparisons of something with itself.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "equal-operands",
    aliases: &["clippy:eq_op"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1000,
    blocking: false,
    summary: "Both sides are the same, so the answer does not depend on them.",
    help: "Compare with what was meant.",
    explanation: "`a == a` is always true, `a - a` always zero, `a && a` just `a`: one of the two names is a slip \
        of the hand, often after copying a line. Where a number is asked whether it is one, `is_nan` \
        says so.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn overlaps(a: &Range, b: &Range) -> bool {
    a.start < b.end && b.start < b.start
}
",
        good: "pub fn overlaps(a: &Range, b: &Range) -> bool {
    a.start < b.end && b.start < a.end
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["binary_expression"], check_equal_operands);

const OPERATORS: &[&str] = &["!=", "&", "&&", "-", "/", "<", "<=", "==", ">", ">=", "^", "|", "||", "%"];

fn check_equal_operands<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
    if !operator_of(node).is_some_and(|operator| OPERATORS.contains(&operator)) || context.is_aside(node) {
        return;
    }
    let text = context.text(left);
    // A call may answer anew each time, and numbers are sums that somebody wrote out.
    let is_plain = text == context.text(right)
        && !text.contains(['(', '!'])
        && text.contains(char::is_alphabetic)
        && !left.kind().ends_with("_literal");
    let is_constant = !text.contains(char::is_lowercase);
    if is_plain && !is_constant {
        out.push(context.report(&RULE, node, format!("both sides are `{text}`")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f(a: u8) -> bool { a.b == a.b }", "fn f(a: u8) -> u8 { a - a }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: u8) -> bool { next() == next() }",
                "fn f(a: u8) -> u8 { a + a }",
                "fn f() -> u8 { 1 << 3 | 8 / 8 }",
            ],
        );
    }
}
