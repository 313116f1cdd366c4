//! A library has nothing of this name in the installed version.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unknown-api",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 2000,
    blocking: true,
    summary: "A library has nothing of this name in the installed version.",
    help: "use a name that the library has in this version",
    explanation: "The installed version of the library was read, with everything that its modules, classes and bases can hold, and nothing of this name is there: the line fails when it runs. Names that a library makes while it runs are left alone, and so is code that reckons with their absence.",
    examples: &[Example {
        path: "example.py",
        bad: "import requests\n\nrequests.gett(\"https://example.org\")\n",
        good: "import requests\n\nrequests.get(\"https://example.org\", timeout=5)\n",
    }],
    cwe: None,
    since: "0.1.0",
};
