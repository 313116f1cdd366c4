//! No hooks that run before a commit.

use crate::base::finding::{Category, Severity, Tool};
use crate::base::rule::Rule;

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
