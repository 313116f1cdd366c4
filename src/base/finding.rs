//! A finding: one thing said about one place in the code, by one rule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::digest;
use super::source::Source;

/// How much a finding matters, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Info,
    Low,
    Medium,
    High,
    Critical,
}

/// How sure a finding is. What decides about one of low confidence may stand elsewhere, and it fails no gate by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    Low,
    #[default]
    High,
}

/// What is high is left out, so that there is one word to read.
impl JsonSchema for Confidence {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Confidence".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": "low" })
    }
}

crate::wire_enum! {
    /// What a file is scored on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Category {
        Complexity = "complexity",
        Security = "security",
        Maintainability = "maintainability",
        TestCoverage = "test_coverage",
        Performance = "performance",
        Structure = "structure",
        Devex = "devex",
    }
}

crate::wire_enum! {
    /// Who said it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Tool {
        Ruff = "ruff",
        Mypy = "mypy",
        Bandit = "bandit",
        /// The secret rules of this program.
        Secrets = "secrets",
        /// The other native rules of this program.
        Tapps = "tapps",
        Oxlint = "oxlint",
        Shellcheck = "shellcheck",
        /// TypeScript's compiler.
        Tsc = "tsc",
        /// The project's own rules.
        Project = "project",
        /// A tool that the project locked for itself; the rule's name begins with the tool's.
        Own = "own",
    }
}

/// A change that would remove the finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// What the change does, as an imperative sentence.
    pub message: String,
    /// True when the tool that proposes it says that behaviour cannot change, so `fix: true` may apply it.
    pub safe: bool,
}

/// The categories of the OWASP Top 10, in both current editions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Owasp {
    /// For example `A03:2021 Injection`.
    #[serde(rename = "2021", skip_serializing_if = "Option::is_none", default)]
    pub y2021: Option<String>,
    /// For example `A05:2025 Injection`.
    #[serde(rename = "2025", skip_serializing_if = "Option::is_none", default)]
    pub y2025: Option<String>,
}

/// One thing said about one place in the code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// `tool:code`, for example `ruff:F401`, `bandit:B602`, `secrets:aws-access-key`, `tapps:complex-block`.
    pub rule: String,
    pub tool: Tool,
    pub category: Category,
    pub severity: Severity,
    /// Left out where it is high.
    #[serde(skip_serializing_if = "crate::is_default", default)]
    pub confidence: Confidence,
    pub message: String,
    /// Project-relative path with forward slashes.
    pub file: String,
    /// 1-based; 0 when the finding is about the file or project as a whole.
    pub line: u32,
    /// 1-based, in Unicode code points; 0 when the finding is about whole lines.
    pub column: u32,
    /// 1-based, inclusive; equal to `line` for a single line.
    pub end_line: u32,
    /// What the rule counts, where it limits a number (a complexity, a depth, lines, parameters); more is worse.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measure: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fix: Option<Fix>,
    /// What to do about it, or where it is explained.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub help: Option<String>,
    /// For example `CWE-78`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cwe: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub owasp: Option<Owasp>,
    /// Points of the overall score (0–100) that this finding costs.
    pub points: f64,
    /// Stays the same while the code it points at moves; see [`Finding::seal`].
    pub fingerprint: String,
    /// What the finding asks its category to lose, in thousandths of a category point (a category has 10 000).
    /// Zero is informational. Scoring may scale it down, never up.
    #[serde(skip)]
    pub cost: u32,
    /// What the fingerprint is taken over besides the rule; empty means the text of the line.
    #[serde(skip)]
    pub anchor: String,
}

impl Finding {
    /// A finding with everything else unset; [`Rule::finding`](crate::rule::Rule::finding) is the way to one.
    pub(crate) fn new(tool: Tool, code: &str, category: Category, severity: Severity, message: String) -> Self {
        Self {
            rule: format!("{}:{code}", tool.as_str()),
            tool,
            category,
            severity,
            confidence: Confidence::High,
            message,
            file: String::new(),
            line: 0,
            column: 0,
            end_line: 0,
            measure: None,
            fix: None,
            help: None,
            cwe: None,
            owasp: None,
            points: 0.0,
            fingerprint: String::new(),
            cost: 0,
            anchor: String::new(),
        }
    }

    /// A finding of a tool that a project locked for itself: what its rule means, the project's description of the tool
    /// says, in which each rule is declared.
    #[must_use]
    pub fn of_own_tool(
        name: &str,
        code: &str,
        (category, severity): (Category, Severity),
        message: impl Into<String>,
    ) -> Self {
        let rule = format!("{name}:{code}");
        Self { rule, ..Self::new(Tool::Own, code, category, severity, message.into()) }
    }

    /// Sets where it is: 1-based line and column (code points) and last line.
    #[must_use]
    pub fn at(mut self, line: u32, column: u32, end_line: u32) -> Self {
        self.line = line;
        self.column = column;
        self.end_line = end_line.max(line);
        self
    }

    /// Sets what it asks its category to lose, in thousandths of a category point.
    #[must_use]
    pub fn costing(mut self, cost: u32) -> Self {
        self.cost = cost;
        self
    }

    /// Makes it one of low confidence, which costs a third.
    #[must_use]
    pub fn doubted(self) -> Self {
        self.doubted_if(true)
    }

    /// As [`Finding::doubted`] where there is a doubt; what was doubted before costs no less.
    #[must_use]
    pub fn doubted_if(mut self, doubt: bool) -> Self {
        if doubt && self.confidence == Confidence::High {
            self.confidence = Confidence::Low;
            self.cost /= 3;
        }
        self
    }

    /// Sets the number that is above the rule's limit.
    #[must_use]
    pub fn measuring(mut self, measure: u32) -> Self {
        self.measure = Some(measure);
        self
    }

    /// Sets what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets what the fingerprint is taken over besides the rule, for findings about more than one line.
    #[must_use]
    pub fn anchored(mut self, anchor: impl Into<String>) -> Self {
        self.anchor = anchor.into();
        self
    }

    /// Computes the fingerprint: SHA-256 over the rule and the anchor (or the line's text) with white space folded,
    /// first 16 hex digits. Neither the path nor the line number enters, so moving code keeps it.
    pub fn seal(&mut self, line_text: &str) {
        let content = if self.anchor.is_empty() { line_text } else { &self.anchor };
        let mut sealed = String::with_capacity(self.rule.len() + 1 + content.len());
        sealed.push_str(&self.rule);
        sealed.push('\0');
        for (at, word) in content.split_whitespace().enumerate() {
            sealed.push_str(if at == 0 { "" } else { " " });
            sealed.push_str(word);
        }
        self.fingerprint = digest::hex(&digest::sha256_bytes(sealed.as_bytes())[..8]);
    }

    /// As [`Finding::seal`], by what the finding's line in its source begins with.
    pub fn seal_in(&mut self, source: &Source) {
        self.seal(&source.line_beginning(self.line));
    }

    /// The order in which findings are listed: by place, then rule, then message.
    #[must_use]
    pub fn order(&self, other: &Self) -> std::cmp::Ordering {
        (&self.file, self.line, self.column, &self.rule, &self.message).cmp(&(
            &other.file,
            other.line,
            other.column,
            &other.rule,
            &other.message,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32) -> Finding {
        Finding::new(Tool::Ruff, "F401", Category::Maintainability, Severity::Medium, "unused".to_owned())
            .at(line, 1, line)
    }

    #[test]
    fn moving_a_line_keeps_its_fingerprint_and_editing_it_does_not() {
        let (mut a, mut b, mut c) = (finding(1), finding(90), finding(1));
        a.seal("import os");
        b.seal("   import   os");
        c.seal("import sys");
        assert_eq!(a.fingerprint, b.fingerprint);
        assert_ne!(a.fingerprint, c.fingerprint);
        assert_eq!(a.fingerprint.len(), 16);
    }

    #[test]
    fn a_doubt_costs_two_thirds_once() {
        let sure = finding(1).costing(900);
        assert_eq!(sure.clone().doubted_if(false), sure);
        let doubted = sure.doubted();
        assert_eq!((doubted.confidence, doubted.cost), (Confidence::Low, 300));
        assert_eq!(doubted.clone().doubted(), doubted);
        assert_eq!(serde_json::to_value(&doubted).unwrap()["confidence"], "low");
        assert_eq!(serde_json::to_value(finding(1)).unwrap().get("confidence"), None);
    }

    #[test]
    fn wire_words_are_serde_words() {
        for category in Category::ALL {
            assert_eq!(serde_json::to_value(category).unwrap(), category.as_str());
        }
    }
}
