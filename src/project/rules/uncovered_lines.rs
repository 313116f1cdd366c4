//! Lines that no test ran. What they cost is their share of the file's executable lines.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "uncovered-lines",
    aliases: &[],
    category: Category::TestCoverage,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Coverage data shows that no test ran these lines, so a mistake in them would go unnoticed.",
    help: "write a test that runs these lines and checks what they do",
    explanation: "No test ran these lines, so a mistake in them is found by a user. The cost is the uncovered share of \
        the file's executable lines, split over the regions. Write a test that runs them and checks what they do; \
        lines that cannot run in a test can be excluded in the configuration of coverage.",
    examples: &[Example {
        path: "project",
        bad: "coverage.xml (src/shop/cart.py: lines 10-14 never ran)
src/shop/cart.py
",
        good: "coverage.xml (src/shop/cart.py: every line ran)
src/shop/cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
