//! No configuration of continuous integration.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-ci",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Low,
    cost: 1000,
    blocking: false,
    summary: "Nothing runs the checks when the code changes.",
    help: "configure continuous integration to run the tests and checks",
    explanation: "Checks that only run when somebody thinks of it do not run before the release that breaks. A \
        configuration of GitHub Actions, GitLab, Jenkins or another service that runs the tests for each change \
        counts.",
    examples: &[Example {
        path: "project",
        bad: "pyproject.toml
src/shop/cart.py
",
        good: ".github/workflows/tests.yml
pyproject.toml
src/shop/cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
