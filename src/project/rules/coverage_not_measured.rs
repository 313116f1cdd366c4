//! Tests import the module, and nobody recorded which lines they run. Costs more the further the tests are.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "coverage-not-measured",
    aliases: &[],
    category: Category::TestCoverage,
    severity: Severity::Low,
    cost: 5000,
    blocking: false,
    summary: "Tests reach the module, but without coverage data nobody knows which of its lines they run.",
    help: "run the tests with coverage and keep the report in the project",
    explanation: "A test that imports the module, directly or through others, may run every line of it or one. Without \
        coverage data the score takes the middle: 5000 when a test imports it, 6000 when one reaches it in two steps, \
        7000 in more. Run the tests with coverage and keep the report (`coverage.xml`, `lcov.info`, `coverage.out`, `.coverage`) in \
        the project.",
    examples: &[Example {
        path: "project",
        bad: "src/shop/cart.py
tests/test_cart.py
",
        good: "coverage.xml
src/shop/cart.py
tests/test_cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
