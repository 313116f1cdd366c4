//! No readme at or above the file.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-readme",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::Low,
    cost: 1500,
    blocking: false,
    summary: "Nothing tells a newcomer what the project is for and how to start.",
    help: "add a README that says what the project does and how to use it",
    explanation: "The readme is what a newcomer, and an assistant, reads first: what the project is for, how to run it \
        and its tests. A few lines are enough to begin with.",
    examples: &[Example {
        path: "project",
        bad: "pyproject.toml
src/shop/cart.py
",
        good: "README.md
pyproject.toml
src/shop/cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
