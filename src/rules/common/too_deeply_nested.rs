//! Text that nests beyond what is analysed.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "too-deeply-nested",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Critical,
    cost: 10_000,
    blocking: true,
    summary: "The file nests deeper than its language or the analysis can follow.",
    help: "Break the expression or block into named parts.",
    explanation: "Thousands of brackets or operators within each other have no sensible reading, and would exhaust the \
        stack of any parser. Such a file is nearly always generated: exclude it. Otherwise give parts of the \
        expression names.",
    examples: &[],
    cwe: None,
    since: "0.1.0",
};
