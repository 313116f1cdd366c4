//! From what bandit's tests report to findings, whoever ran them.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rules;
use crate::owasp;
use tapps_base::finding::{Confidence, Finding, Severity};
use tapps_base::source::Source;

/// A finding as bandit reports it; passwords that bandit quotes are left out of the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BanditFinding {
    /// For example `B602`.
    pub code: String,
    pub severity: Severity,
    pub confidence: Severity,
    pub message: String,
    /// 1-based.
    pub line: u32,
    /// For example `CWE-78`.
    pub cwe: Option<String>,
}

/// What bandit says about one file; both lists are in the order of [`Finding::order`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BanditFileReport {
    pub findings: Vec<Finding>,
    pub issues: Vec<BanditFinding>,
}

/// What a test reports, as bandit writes it down.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportedIssue {
    /// For example `B602`.
    pub test: String,
    pub severity: Severity,
    pub confidence: Severity,
    pub text: String,
    pub cwe: Option<u32>,
    /// 1-based.
    pub line: u32,
    /// 0-based, in bytes.
    pub column: u32,
    /// First and last line of the code it is about.
    pub lines: (u32, u32),
}

impl ReportedIssue {
    /// The text as it is shown: bandit's own, except where it quotes the password that it found.
    #[must_use]
    pub fn message(&self) -> String {
        match self.test.as_str() {
            "B105" => "Possible hard-coded password.".to_owned(),
            "B106" => "Possible hard-coded password in a call's arguments.".to_owned(),
            "B107" => "Possible hard-coded password as a parameter's default.".to_owned(),
            _ => without_addresses(self.text.trim()),
        }
    }
}

/// Makes findings of what the tests report about a file.
///
/// Costs are in thousandths of a category point, by severity and confidence; of several findings on one line only the
/// costliest keeps its cost.
///
/// | severity | high or medium confidence | low confidence |
/// | --- | --- | --- |
/// | high | 3000 | 1000 |
/// | medium | 1000 | 300 |
/// | low | 0 | 0 |
#[must_use]
pub fn make_file_report(reported: &[ReportedIssue], source: &Source) -> BanditFileReport {
    let (findings, issues) = reported.iter().map(|issue| convert_issue(issue, source)).unzip();
    let mut report = BanditFileReport { findings, issues };
    report.findings.sort_by(Finding::order);
    report.issues.sort_by(|a, b| (a.line, &a.code, &a.message).cmp(&(b.line, &b.code, &b.message)));
    one_cost_per_line(&mut report.findings);
    report
}

fn convert_issue(issue: &ReportedIssue, source: &Source) -> (Finding, BanditFinding) {
    let severity = if issue.test == "B101" && is_test(source.path()) { Severity::Info } else { issue.severity };
    let message = issue.message();
    let line = issue.line;
    let column = source.column_of_byte(line, issue.column);
    let number = issue.cwe.filter(|&id| id != 0);
    let cwe = number.map(|id| format!("CWE-{id}"));

    let rule = rules::find_bandit_rule(&issue.test).unwrap_or(&rules::OTHER);
    let cost = cost(severity, issue.confidence);
    let mut finding = rule.finding(message.clone()).at(line, column, issue.lines.1).costing(cost);
    finding.rule = format!("bandit:{}", issue.test);
    finding.severity = severity;
    finding.confidence = if is_doubtful(issue.confidence) { Confidence::Low } else { Confidence::High };
    finding.cwe.clone_from(&cwe);
    finding.owasp = owasp::of_bandit(&issue.test, number);
    source.path().clone_into(&mut finding.file);
    finding.seal_in(source);

    let code = issue.test.clone();
    (finding, BanditFinding { code, severity, confidence: issue.confidence, message, line, cwe })
}

const fn is_doubtful(confidence: Severity) -> bool {
    matches!(confidence, Severity::Info | Severity::Low)
}

const fn cost(severity: Severity, confidence: Severity) -> u32 {
    match (severity, is_doubtful(confidence)) {
        (Severity::High | Severity::Critical, true) => 1000,
        (Severity::Medium, true) => 300,
        _ => rules::cost(severity),
    }
}

/// Some texts show an object of bandit's own with its place in memory, which is another one in every run.
fn without_addresses(text: &str) -> String {
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
        #[expect(clippy::unwrap_used, reason = "a constant that a test reads")]
        Regex::new(" at 0x[0-9a-f]+").unwrap()
    });
    ADDRESS.replace_all(text, "").into_owned()
}

/// True for files that pytest or unittest would collect, or that lie in a folder of tests.
fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let folder = folders.split('/').any(|part| matches!(part, "test" | "tests" | "testing"));
    folder || stem.starts_with("test_") || stem.ends_with("_test") || matches!(stem, "tests" | "conftest")
}

/// Leaves the cost to the costliest finding of each line (the first in order when several cost the same).
fn one_cost_per_line(findings: &mut [Finding]) {
    for line in findings.chunk_by_mut(|a, b| a.line == b.line) {
        let highest = line.iter().map(|finding| finding.cost).max().unwrap_or(0);
        let mut kept = false;
        for finding in line {
            if finding.cost < highest || kept {
                finding.cost = 0;
            } else {
                kept = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_in_tests_are_informational() {
        for (path, is) in [
            ("tests/unit/a.py", true),
            ("a/test_x.py", true),
            ("x_test.py", true),
            ("conftest.py", true),
            ("contest.py", false),
            ("latest/a.py", false),
        ] {
            assert_eq!(is_test(path), is, "{path}");
        }
    }
}
