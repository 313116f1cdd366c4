//! No configuration of continuous integration.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-ci",
    category: Category::Devex,
    severity: Severity::Low,
    cost: 1000,
    summary: "Nothing runs the checks when the code changes.",
    help: "configure continuous integration to run the tests and checks",
    cwe: None,
};
