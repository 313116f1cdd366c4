//! No manifest at or above the file.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-project-root",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::Low,
    cost: 2500,
    blocking: false,
    summary: "No manifest says what the project is, so tools cannot know its name, its dependencies or where its code begins.",
    help: "add a manifest such as pyproject.toml or package.json",
    explanation: "A manifest tells tools where the project begins, what it is called and what it depends on. Without \
        one they guess: imports resolve differently, no environment can be made and no version is known. Add the \
        manifest of the language.",
    examples: &[Example {
        path: "project",
        bad: "cart.py
test_cart.py
",
        good: "cart.py
pyproject.toml
test_cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
