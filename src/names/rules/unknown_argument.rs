//! A function of a library takes no such argument in the installed version.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unknown-argument",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 2000,
    blocking: true,
    summary: "A function of a library takes no such argument in the installed version.",
    help: "call it with the arguments that it takes in this version",
    explanation: "The signatures of the function were read from the installed version of the library, and none of them takes this argument: the call raises TypeError when it runs. Functions whose decorators may change what they take are left alone.",
    examples: &[Example {
        path: "example.py",
        bad: "import requests\n\nsession = requests.Session(timeout=5)\n",
        good: "import requests\n\nsession = requests.Session()\n",
    }],
    cwe: None,
    since: "0.1.0",
};
