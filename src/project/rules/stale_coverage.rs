//! There is coverage data for the file, of another text than it has now. Costs what having none does.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "stale-coverage",
    aliases: &[],
    category: Category::TestCoverage,
    severity: Severity::Low,
    cost: 5000,
    blocking: false,
    summary: "The coverage data was recorded before the file changed, so it says nothing about the lines as they are now.",
    help: "run the tests with coverage again",
    explanation: "The report says which lines ran when it was recorded. The file has changed since, so its line \
        numbers mean other lines now, and the data is not used for it. Run the tests with coverage again; a pipeline \
        that does so with each change keeps it fresh.",
    examples: &[Example {
        path: "project",
        bad: "coverage.xml (older than src/shop/cart.py)
src/shop/cart.py
",
        good: "coverage.xml (newer than src/shop/cart.py)
src/shop/cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
