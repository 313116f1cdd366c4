//! No readme at or above the file.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-readme",
    category: Category::Structure,
    severity: Severity::Low,
    cost: 1500,
    summary: "Nothing tells a newcomer what the project is for and how to start.",
    help: "add a README that says what the project does and how to use it",
    cwe: None,
};
