//! No list of changes.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-changelog",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Info,
    cost: 500,
    blocking: false,
    summary: "Users cannot see what changed between versions.",
    help: "keep a changelog",
    explanation: "Who updates wants to know what changed and what breaks, without reading every commit. A file \
        `CHANGELOG.md` with a section for each release is enough.",
    examples: &[Example {
        path: "project",
        bad: "README.md
pyproject.toml
",
        good: "CHANGELOG.md
README.md
pyproject.toml
",
    }],
    cwe: None,
    since: "0.1.0",
};
