//! GitLab's code quality artifact: one flat list, each finding with a name of its own.

use serde::Serialize;

use crate::document::QualityReport;
use super::escape::single_line;
use super::identity::findings_with_fingerprints;
use super::json;
use super::{Form, Readers};
use tapps_base::Result;
use tapps_base::finding::Severity;

/// The format.
pub(super) const FORM: Form =
    Form { ending: "json", media_type: "application/json", readers: Readers::Platforms, render: render_gitlab };

#[derive(Serialize)]
struct CodeQualityIssue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: IssueLines,
}

#[derive(Serialize)]
struct IssueLines {
    begin: u32,
    end: u32,
}

/// Renders the report.
fn render_gitlab(report: &QualityReport) -> Result<String> {
    let issues: Vec<CodeQualityIssue<'_>> = findings_with_fingerprints(report)
        .into_iter()
        .filter(|(finding, _)| report.is_annotated(finding))
        .map(|(finding, fingerprint)| CodeQualityIssue {
            description: single_line(&finding.message),
            check_name: &finding.rule,
            fingerprint,
            severity: severity(finding.severity),
            location: Location {
                path: &finding.file,
                // A finding about the whole file is shown at its first line.
                lines: IssueLines { begin: finding.line.max(1), end: finding.end_line.max(finding.line).max(1) },
            },
        })
        .collect();
    json::render_json(&issues)
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "blocker",
        Severity::High => "critical",
        Severity::Medium => "major",
        Severity::Low => "minor",
        Severity::Info => "info",
    }
}
