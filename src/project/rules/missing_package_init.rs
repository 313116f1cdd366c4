//! A module in a folder without `__init__.py` inside a regular package.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "missing-package-init",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::Low,
    cost: 1500,
    blocking: false,
    summary: "The folder lies in a package but is none itself, so packaging tools and type checkers may pass over its modules.",
    help: "add an `__init__.py` to the folder",
    explanation: "A folder without `__init__.py` is a namespace package. Imports from the project's root often work, \
        but build tools leave such folders out of the package, type checkers see its modules under two names, and test \
        runners mix up files of one name. Add the file; it may be empty.",
    examples: &[Example {
        path: "project",
        bad: "src/shop/__init__.py
src/shop/payment/card.py
",
        good: "src/shop/__init__.py
src/shop/payment/__init__.py
src/shop/payment/card.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
