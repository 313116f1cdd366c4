//! No test file of the project has a test with an assertion.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-tests",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::Medium,
    cost: 2500,
    blocking: false,
    summary: "The project has no test that could fail.",
    help: "add a test that checks the result of running the code",
    explanation: "Without a single test that checks a result nobody knows whether the last change broke something. A \
        file of tests without any assertion does not count. Begin with the function whose failure would hurt most.",
    examples: &[Example {
        path: "project",
        bad: "pyproject.toml
src/shop/cart.py
",
        good: "pyproject.toml
src/shop/cart.py
tests/test_cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
