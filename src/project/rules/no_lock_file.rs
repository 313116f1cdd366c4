//! The manifest names dependencies, and no lock file fixes their versions.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-lock-file",
    category: Category::Devex,
    severity: Severity::Low,
    cost: 750,
    summary: "Dependencies are not locked, so two machines may run different versions.",
    help: "lock the dependencies and keep the lock file with the code",
    cwe: None,
};
