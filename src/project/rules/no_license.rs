//! No licence text at or above the file.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-license",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::Info,
    cost: 1000,
    blocking: false,
    summary: "Without a licence nobody knows what they may do with the code.",
    help: "add a LICENSE file",
    explanation: "Code without a licence may be read, and nothing else: nobody may lawfully use, change or pass it on. \
        A file `LICENSE` with the text of a known licence settles it; for closed code it says who owns it.",
    examples: &[Example {
        path: "project",
        bad: "README.md
pyproject.toml
",
        good: "LICENSE
README.md
pyproject.toml
",
    }],
    cwe: None,
    since: "0.1.0",
};
