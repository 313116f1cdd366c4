//! Files in radon's rank B or C.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "low-maintainability-index",
    aliases: &["radon:mi"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 500,
    blocking: false,
    summary: "The maintainability index is in rank B (9 to 19) or C (up to 9) of radon's scale.",
    help: "split the module by responsibility; the index falls with volume, complexity and length",
    explanation: "The index falls with the volume of the code, its branches and its length, and rises with comments. \
        Below 20 (rank B) a module is more than most people take in at once; rank C, 9 and less, costs 1200. The cure \
        is nearly always to split the module by responsibility. Rank A costs nothing, so that size alone is not \
        punished.",
    examples: &[],
    cwe: Some("CWE-1120"),
    since: "0.1.0",
};
