//! A library is imported that the project does not ask for.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "undeclared-dependency",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 500,
    blocking: false,
    summary: "A library is imported that the project does not ask for.",
    help: "declare the library as a dependency",
    explanation: "The library is installed because another one needs it. When that one no longer does, the import fails; and nobody decides which version is used. Declare it among the dependencies of the project.",
    examples: &[Example { path: "example.py", bad: "import urllib3\n", good: "import requests\n" }],
    cwe: None,
    since: "0.1.0",
};
