//! Workflow commands, which GitHub shows as annotations beside the code.

use std::fmt::Write as _;

use crate::document::QualityReport;
use super::escape::{single_line, strip_unprintable};
use super::identity::findings_with_fingerprints;
use super::{Form, Readers};
use tapps_base::finding::{Finding, Severity};

/// The format.
pub(super) const FORM: Form =
    Form { ending: "txt", media_type: "text/plain", readers: Readers::Platforms, render: |report| Ok(render_github(report)) };

/// Renders the report, worst findings first: a platform that shows only some of them shows those.
fn render_github(report: &QualityReport) -> String {
    let mut findings: Vec<&Finding> = findings_with_fingerprints(report).into_iter().map(|(finding, _)| finding).collect();
    findings.retain(|finding| report.is_annotated(finding));
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.order(b)));
    let mut text = String::new();
    for file in report.files.iter().filter(|file| file.failed()) {
        let reasons = file.failures.iter().map(|failure| single_line(failure)).collect::<Vec<_>>().join("\n");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "::error file={},title=gate failed::{}", escape_command_property(&file.file), escape_command_data(&reasons));
    }
    for finding in findings {
        let _ = writeln!(text, "::{} {}::{}", annotation_command(finding.severity), annotation_properties(finding), annotation_message(finding));
    }
    text
}

const fn annotation_command(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "notice",
    }
}

fn annotation_properties(finding: &Finding) -> String {
    let mut place = format!("file={}", escape_command_property(&finding.file));
    if finding.line > 0 {
        let _ = write!(place, ",line={},endLine={}", finding.line, finding.end_line.max(finding.line));
    }
    if finding.column > 0 {
        let _ = write!(place, ",col={}", finding.column);
    }
    place + ",title=" + &escape_command_property(&finding.rule)
}

fn annotation_message(finding: &Finding) -> String {
    let help = finding.help.as_deref().map(|help| format!("\n{help}")).unwrap_or_default();
    escape_command_data(&strip_unprintable(&(finding.message.clone() + &help)))
}

/// The part after the second `::`: what would end the command is encoded.
fn escape_command_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before it: what would end the value as well.
fn escape_command_property(text: &str) -> String {
    escape_command_data(&strip_unprintable(text)).replace(':', "%3A").replace(',', "%2C")
}
