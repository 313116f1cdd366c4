//! No hooks that run before a commit.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-pre-commit",
    category: Category::Devex,
    severity: Severity::Info,
    cost: 250,
    summary: "Nothing checks a change before it is committed.",
    help: "configure pre-commit hooks",
    cwe: None,
};
