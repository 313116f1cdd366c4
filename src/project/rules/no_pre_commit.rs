//! No hooks that run before a commit.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-pre-commit",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Info,
    cost: 250,
    blocking: false,
    summary: "Nothing checks a change before it is committed.",
    help: "configure pre-commit hooks",
    explanation: "What a hook finds before the commit costs seconds; found in the pipeline it costs a round of \
        waiting. A `.pre-commit-config.yaml`, husky or lefthook that runs formatter and linter is enough.",
    examples: &[Example {
        path: "project",
        bad: "pyproject.toml
src/shop/cart.py
",
        good: ".pre-commit-config.yaml
pyproject.toml
src/shop/cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
