//! No `.editorconfig`.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-editorconfig",
    category: Category::Devex,
    severity: Severity::Info,
    cost: 250,
    summary: "Editors do not learn the project's indentation and line ends.",
    help: "add an .editorconfig file",
    cwe: None,
};
