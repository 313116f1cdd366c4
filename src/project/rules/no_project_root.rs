//! No manifest at or above the file.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-project-root",
    category: Category::Structure,
    severity: Severity::Low,
    cost: 2500,
    summary: "No manifest says what the project is, so tools cannot know its name, its dependencies or where its code begins.",
    help: "add a manifest such as pyproject.toml or package.json",
    cwe: None,
};
