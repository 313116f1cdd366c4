//! No test reaches the module by imports, and there is no coverage data for it.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "untested-module",
    category: Category::TestCoverage,
    severity: Severity::Medium,
    cost: 10_000,
    summary: "No test with an assertion imports the module, directly or through others.",
    help: "write a test that imports the module and checks what it does",
    cwe: None,
};
