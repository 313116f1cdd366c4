//! No formatter is configured for the language.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-formatter-config",
    category: Category::Devex,
    severity: Severity::Info,
    cost: 500,
    summary: "No formatter is configured, so layout changes mix with real ones.",
    help: "configure a formatter for the project",
    cwe: None,
};
