//! No test reaches the module by imports, and there is no coverage data for it.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "untested-module",
    aliases: &[],
    category: Category::TestCoverage,
    severity: Severity::Medium,
    cost: 10_000,
    blocking: false,
    summary: "No test with an assertion imports the module, directly or through others.",
    help: "write a test that imports the module and checks what it does",
    explanation: "No test with an assertion in it imports the module, directly or through other modules, and there is \
        no coverage data for it: as far as anybody knows nothing checks it. Write a test that imports it and checks \
        what it does.",
    examples: &[Example {
        path: "project",
        bad: "src/shop/cart.py
tests/test_login.py
",
        good: "src/shop/cart.py
tests/test_cart.py
tests/test_login.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
