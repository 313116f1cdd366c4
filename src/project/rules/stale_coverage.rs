//! There is coverage data for the file, of another text than it has now. Costs what having none does.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "stale-coverage",
    category: Category::TestCoverage,
    severity: Severity::Low,
    cost: 5000,
    summary: "The coverage data was recorded before the file changed, so it says nothing about the lines as they are now.",
    help: "run the tests with coverage again",
    cwe: None,
};
