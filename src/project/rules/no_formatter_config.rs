//! No formatter is configured for the language.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-formatter-config",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Info,
    cost: 500,
    blocking: false,
    summary: "No formatter is configured, so layout changes mix with real ones.",
    help: "configure a formatter for the project",
    explanation: "Where everybody lays out code by hand, changes of layout mix with real ones and reviews discuss \
        spaces. A formatter that is configured in the project (ruff or black, prettier or biome) ends that.",
    examples: &[Example {
        path: "project",
        bad: "package.json
src/cart.ts
",
        good: ".prettierrc
package.json
src/cart.ts
",
    }],
    cwe: None,
    since: "0.1.0",
};
