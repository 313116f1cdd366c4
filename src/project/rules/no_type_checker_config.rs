//! No type checker is configured for the language.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-type-checker-config",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Low,
    cost: 1250,
    blocking: false,
    summary: "No type checker is configured, so types are checked by different rules or not at all.",
    help: "configure a type checker for the project",
    explanation: "A type checker only helps when all run the same one with the same strictness. A configuration of \
        mypy or pyright, or a `tsconfig.json`, in the project says which.",
    examples: &[Example {
        path: "project",
        bad: "package.json
src/cart.ts
",
        good: "package.json
src/cart.ts
tsconfig.json
",
    }],
    cwe: None,
    since: "0.1.0",
};
