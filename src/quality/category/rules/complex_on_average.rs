//! Files whose typical function is already complex.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "complex-on-average",
    aliases: &[],
    category: Category::Complexity,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "The mean cyclomatic complexity of the file's functions is above 5.",
    help: "move decisions out of the busiest functions",
    explanation: "When the typical function of a file already branches a lot, the file as a whole is hard to change, \
        even if no single function stands out. Start with the busiest functions and move decisions out of them. Each \
        hundredth of the mean above 5 costs 5, at most 3000.",
    examples: &[Example {
        path: "example.py",
        bad: r#"def grade(points):
    if points > 90:
        return "A"
    if points > 80:
        return "B"
    if points > 70:
        return "C"
    if points > 60:
        return "D"
    if points > 50:
        return "E"
    return "F"
"#,
        good: r#"LIMITS = ((90, "A"), (80, "B"), (70, "C"), (60, "D"), (50, "E"))


def grade(points):
    return next((mark for limit, mark in LIMITS if points > limit), "F")
"#,
    }],
    cwe: Some("CWE-1121"),
    since: "0.1.0",
};
