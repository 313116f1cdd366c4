//! Tests import the module, and nobody recorded which lines they run. Costs more the further the tests are.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "coverage-not-measured",
    category: Category::TestCoverage,
    severity: Severity::Low,
    cost: 5000,
    summary: "Tests reach the module, but without coverage data nobody knows which of its lines they run.",
    help: "run the tests with coverage and keep the report in the project",
    cwe: None,
};
