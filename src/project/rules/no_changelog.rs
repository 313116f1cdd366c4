//! No list of changes.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-changelog",
    category: Category::Devex,
    severity: Severity::Info,
    cost: 500,
    summary: "Users cannot see what changed between versions.",
    help: "keep a changelog",
    cwe: None,
};
