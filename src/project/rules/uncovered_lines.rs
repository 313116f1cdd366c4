//! Lines that no test ran. What they cost is their share of the file's executable lines.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "uncovered-lines",
    category: Category::TestCoverage,
    severity: Severity::Low,
    cost: 0,
    summary: "Coverage data shows that no test ran these lines, so a mistake in them would go unnoticed.",
    help: "write a test that runs these lines and checks what they do",
    cwe: None,
};
