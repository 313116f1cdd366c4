//! No licence text at or above the file.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-license",
    category: Category::Structure,
    severity: Severity::Info,
    cost: 1000,
    summary: "Without a licence nobody knows what they may do with the code.",
    help: "add a LICENSE file",
    cwe: None,
};
