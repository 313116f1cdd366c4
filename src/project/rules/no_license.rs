//! No licence text at or above the file.

use crate::base::finding::{Category, Severity, Tool};
use crate::base::rule::Rule;

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
