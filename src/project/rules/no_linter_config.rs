//! No linter is configured for the language.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-linter-config",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Low,
    cost: 1250,
    blocking: false,
    summary: "No linter is configured, so everyone checks by different rules or none.",
    help: "configure a linter for the project",
    explanation: "Without a configuration in the project each developer and each pipeline checks by the defaults of \
        whichever linter and version is there. Name the linter and its rules in the project (ruff, flake8 or pylint; \
        eslint or biome).",
    examples: &[Example {
        path: "project",
        bad: "package.json
src/cart.ts
",
        good: "eslint.config.js
package.json
src/cart.ts
",
    }],
    cwe: None,
    since: "0.1.0",
};
