//! A module is imported that no installed library has.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unknown-module",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 2000,
    blocking: true,
    summary: "A module is imported that no installed library has.",
    help: "import a module that is there, or add the dependency that brings it",
    explanation: "Every dependency of the project is installed, and none of them has this module: the import fails when it runs. It is said only where the environment is complete, and not where the code reckons with the absence of the module.",
    examples: &[Example { path: "example.py", bad: "import requests.sesions\n", good: "import requests.sessions\n" }],
    cwe: None,
    since: "0.1.0",
};
