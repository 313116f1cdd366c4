//! No linter is configured for the language.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-linter-config",
    category: Category::Devex,
    severity: Severity::Low,
    cost: 1250,
    summary: "No linter is configured, so everyone checks by different rules or none.",
    help: "configure a linter for the project",
    cwe: None,
};
