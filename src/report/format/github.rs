//! Workflow commands, which GitHub shows as annotations beside the code.

use std::fmt::Write as _;

use crate::document::Report;
use super::escape::{line, plain};
use super::identity::named;
use super::{Form, Readers};
use tapps_base::finding::{Finding, Severity};

/// The format.
pub(super) const FORM: Form =
    Form { ending: "txt", media_type: "text/plain", readers: Readers::Platforms, render: |report| Ok(render(report)) };

/// Renders the report, worst findings first: a platform that shows only some of them shows those.
fn render(report: &Report) -> String {
    let mut findings: Vec<&Finding> = named(report).into_iter().map(|(finding, _)| finding).collect();
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.order(b)));
    let mut text = String::new();
    for file in report.files.iter().filter(|file| file.failed()) {
        let reasons = file.failures.iter().map(|failure| line(failure)).collect::<Vec<_>>().join("\n");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "::error file={},title=gate failed::{}", property(&file.file), data(&reasons));
    }
    for finding in findings {
        let _ = writeln!(text, "::{} {}::{}", command(finding.severity), place(finding), message(finding));
    }
    text
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "notice",
    }
}

fn place(finding: &Finding) -> String {
    let mut place = format!("file={}", property(&finding.file));
    if finding.line > 0 {
        let _ = write!(place, ",line={},endLine={}", finding.line, finding.end_line.max(finding.line));
    }
    if finding.column > 0 {
        let _ = write!(place, ",col={}", finding.column);
    }
    place + ",title=" + &property(&finding.rule)
}

fn message(finding: &Finding) -> String {
    let help = finding.help.as_deref().map(|help| format!("\n{help}")).unwrap_or_default();
    data(&plain(&(finding.message.clone() + &help)))
}

/// The part after the second `::`: what would end the command is encoded.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before it: what would end the value as well.
fn property(text: &str) -> String {
    data(&plain(text)).replace(':', "%3A").replace(',', "%2C")
}
