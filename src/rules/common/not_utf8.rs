//! Bytes that are not UTF-8.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "not-utf8",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Critical,
    cost: 10_000,
    blocking: true,
    summary: "The file is not valid UTF-8, so its text cannot be read.",
    help: "Save the file as UTF-8.",
    explanation: "Source text is read as UTF-8 and nothing else, so that the same bytes mean the same everywhere. The \
        finding names the first byte that does not fit. Let the editor save the file as UTF-8, or, when it holds data, \
        keep it in a file that is not source code.",
    examples: &[],
    cwe: None,
    since: "0.1.0",
};
