//! A native rule: what this program itself can say about code, declared once beside its implementation.

use serde::Serialize;

use super::finding::{Category, Finding, Severity, Tool};

/// The declaration of one rule; every catalogue and document is made from these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rule {
    pub tool: Tool,
    /// Kebab-case, unique within its tool, for example `complex-block`.
    pub code: &'static str,
    pub category: Category,
    pub severity: Severity,
    /// What one finding asks its category to lose, in thousandths of a category point; 0 is informational.
    pub cost: u32,
    /// One sentence: what the rule reports and why it matters.
    pub summary: &'static str,
    /// One sentence: what to do about it.
    pub help: &'static str,
    /// For example `CWE-79`.
    pub cwe: Option<&'static str>,
}

impl Rule {
    /// A finding of this rule, with its severity, cost, help and CWE filled in.
    #[must_use]
    pub fn finding(&self, message: impl Into<String>) -> Finding {
        let mut finding = Finding::new(self.tool, self.code, self.category, self.severity, message)
            .costing(self.cost)
            .help(self.help);
        finding.cwe = self.cwe.map(str::to_owned);
        finding
    }
}
