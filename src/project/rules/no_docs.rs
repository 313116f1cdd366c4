//! No documentation besides a readme.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-docs",
    category: Category::Devex,
    severity: Severity::Info,
    cost: 500,
    summary: "There is no documentation beyond the readme.",
    help: "add a docs folder with at least one page",
    cwe: None,
};
