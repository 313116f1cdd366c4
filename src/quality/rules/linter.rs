//! The kinds of rules that locked linters have.

use crate::category::density;
use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

/// A lint about maintainability. Its cost is that in a file of a hundred logical lines.
pub(super) const fn lint(tool: Tool, severity: Severity) -> Rule {
    Rule {
        tool,
        code: "",
        aliases: &[],
        category: Category::Maintainability,
        severity,
        cost: density::cost(severity, 100),
        blocking: false,
        summary: "",
        help: "",
        explanation: "",
        examples: &[],
        cwe: None,
        since: "0.1.0",
    }
}

/// Code that throws as soon as it runs, or does not load.
pub(super) const fn fatal(tool: Tool, severity: Severity) -> Rule {
    Rule { blocking: true, ..lint(tool, severity) }
}

/// Something that an attacker, or an empty variable, makes use of.
pub(super) const fn risk(tool: Tool, severity: Severity) -> Rule {
    Rule { category: Category::Security, cost: density::flat_lint_cost(severity), ..lint(tool, severity) }
}

/// Work done for nothing.
pub(super) const fn slow(tool: Tool, severity: Severity) -> Rule {
    Rule { category: Category::Performance, cost: density::flat_lint_cost(severity), ..lint(tool, severity) }
}

/// The table of a linter: kind, severity, code, page, what the rule reports. The page stands between the two parts of its address.
macro_rules! linter_rules {
    (
        $tool:ident $before:literal $after:literal;
        $($kind:ident $severity:ident $code:literal $page:literal $summary:literal;)+
    ) => {
        /// The selection, in order of code within each group.
        pub const RULES: &[tapps_base::rule::Rule] = &[$(tapps_base::rule::Rule {
            code: $code,
            summary: $summary,
            explanation: concat!($before, $page, $after),
            ..$kind(tapps_base::finding::Tool::$tool, tapps_base::finding::Severity::$severity)
        }),+];
    };
}
pub(super) use linter_rules;
