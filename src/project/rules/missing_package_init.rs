//! A module in a folder without `__init__.py` inside a regular package.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "missing-package-init",
    category: Category::Structure,
    severity: Severity::Low,
    cost: 1500,
    summary: "The folder lies in a package but is none itself, so packaging tools and type checkers may pass over its modules.",
    help: "add an `__init__.py` to the folder",
    cwe: None,
};
