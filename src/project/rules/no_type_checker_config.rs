//! No type checker is configured for the language.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-type-checker-config",
    category: Category::Devex,
    severity: Severity::Low,
    cost: 1250,
    summary: "No type checker is configured, so types are checked by different rules or not at all.",
    help: "configure a type checker for the project",
    cwe: None,
};
