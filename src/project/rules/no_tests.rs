//! No test file of the project has a test with an assertion.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-tests",
    category: Category::Structure,
    severity: Severity::Medium,
    cost: 2500,
    summary: "The project has no test that could fail.",
    help: "add a test that checks the result of running the code",
    cwe: None,
};
