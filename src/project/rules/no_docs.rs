//! No documentation besides a readme.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-docs",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Info,
    cost: 500,
    blocking: false,
    summary: "There is no documentation beyond the readme.",
    help: "add a docs folder with at least one page",
    explanation: "A readme says how to begin. How the parts fit together, what the settings mean and what to do when \
        something breaks needs a place of its own: a folder `docs` with at least one page.",
    examples: &[Example {
        path: "project",
        bad: "README.md
pyproject.toml
",
        good: "README.md
docs/configuration.md
pyproject.toml
",
    }],
    cwe: None,
    since: "0.1.0",
};
