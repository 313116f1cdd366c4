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
    explanation: "The installed library was read and has no such module: the import fails when it runs. Of modules at the top it is said only where everything that the project asks for is installed and the name is a misspelling of one that is there; what is merely not installed may be wanted elsewhere.",
    examples: &[Example { path: "example.py", bad: "import requests.sesions\n", good: "import requests.sessions\n" }],
    cwe: None,
    since: "0.1.0",
};
