//! Markdown as GitHub and GitLab read it.

use std::fmt::Write as _;

use crate::document::{FileReport, QualityReport};
use super::escape::single_line;
use super::{Form, Readers};
use tapps_base::finding::{Confidence, Finding, Severity};
use tapps_quality::result::short_digest;

/// The format.
pub(super) const FORM: Form =
    Form { ending: "md", media_type: "text/markdown", readers: Readers::People, render: |report| Ok(render_markdown(report)) };

/// Most findings shown of one file; the number of the others is said.
const SHOWN: usize = 50;

/// Renders the report. Writing to a String cannot fail, so what `writeln!` gives is dropped.
fn render_markdown(report: &QualityReport) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# Quality report\n\n{}\n", verdict_sentence(report));
    if let Some(change) = &report.change {
        super::comment::write_change(change, &mut text);
        text.push('\n');
    }
    totals(report, &mut text);
    categories(report, &mut text);
    rules(report, &mut text);
    trend(report, &mut text);
    let _ = writeln!(text, "## Files\n\n| file | score | verdict | findings |\n| --- | ---: | --- | ---: |");
    for file in &report.files {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            inline_code(&file.file),
            format_score(file.score),
            passed_word(file.passed),
            file.findings.len()
        );
    }
    for file in report.files.iter().filter(|file| file.failed() || !file.findings.is_empty()) {
        details(file, &mut text);
    }
    if !report.skipped.is_empty() {
        let _ = writeln!(text, "\n## Not looked at\n");
        for skipped in &report.skipped {
            let _ = writeln!(text, "- {}: {}", inline_code(&skipped.file), escape(&skipped.reason));
        }
    }
    let _ = writeln!(text, "\n{}", made_by(report));
    text
}

fn verdict_sentence(report: &QualityReport) -> String {
    let (files, failed) = (report.summary.files, report.summary.failed);
    let preset = report.preset.as_deref().map(|preset| format!(" the gate {}", inline_code(preset))).unwrap_or_default();
    let mean = report.summary.mean.map(|mean| format!(" Mean score **{mean:.1}** of 100.")).unwrap_or_default();
    match report.passed {
        Some(true) => format!("**Passed**{preset}: all of {files} files.{mean}"),
        Some(false) => format!("**Failed**{preset}: {failed} of {files} files.{mean}"),
        None => format!("Scored {files} files; {failed} have something that blocks every gate.{mean}"),
    }
}

fn totals(report: &QualityReport, text: &mut String) {
    let count = |severity| report.summary.severities.get(&severity).copied().unwrap_or_default();
    let _ = writeln!(text, "| critical | high | medium | low | info |\n| ---: | ---: | ---: | ---: | ---: |");
    let counts = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low, Severity::Info]
        .map(|s| count(s).to_string());
    let _ = writeln!(text, "| {} |\n", counts.join(" | "));
}

fn categories(report: &QualityReport, text: &mut String) {
    let _ = writeln!(text, "## Categories\n\n| category | mean of 10 | lowest in |\n| --- | ---: | --- |");
    for category in &report.summary.categories {
        let lowest = category.lowest.as_deref().map(inline_code).unwrap_or_default();
        let _ = writeln!(text, "| {} | {} | {lowest} |", category.category.as_str(), format_score(category.mean));
    }
    text.push('\n');
}

/// Said where findings are counted by rule.
pub(super) const WHERE_EXPLAINED: &str =
    "A running server explains each rule at `tapps://rules/{rule}`, with its cost and an example.";

fn rules(report: &QualityReport, text: &mut String) {
    if report.summary.rules.is_empty() {
        return;
    }
    let _ = writeln!(text, "## Rules that cost most\n\n| rule | findings | points |\n| --- | ---: | ---: |");
    for rule in &report.summary.rules {
        let _ = writeln!(text, "| {} | {} | {:.2} |", inline_code(&rule.rule), rule.count, rule.points);
    }
    let _ = writeln!(text, "\n{WHERE_EXPLAINED}\n");
}

fn trend(report: &QualityReport, text: &mut String) {
    if report.trend.is_empty() {
        return;
    }
    let _ = writeln!(text, "## Before\n\n| verdict | mean | failed | findings |\n| --- | ---: | ---: | ---: |");
    for point in &report.trend {
        let passed = if point.passed { "passed" } else { "failed" };
        let _ = writeln!(
            text,
            "| {} {passed} | {} | {} of {} | {} |",
            inline_code(&point.label),
            format_score(point.mean),
            point.failed,
            point.files,
            point.findings
        );
    }
    text.push('\n');
}

fn details(file: &FileReport, text: &mut String) {
    let _ = writeln!(text, "\n### {}\n", inline_code(&file.file));
    for failure in &file.failures {
        let _ = writeln!(text, "- **fails** {}", escape(failure));
    }
    let mut findings: Vec<&Finding> = file.findings.iter().collect();
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.order(b)));
    for finding in findings.iter().take(SHOWN) {
        let place = if finding.line > 0 { format!("line {}: ", finding.line) } else { String::new() };
        let cost = if finding.points > 0.0 { format!(" (−{:.2})", finding.points) } else { String::new() };
        let severity = super::html::severity_word(finding.severity);
        let doubt = if finding.confidence == Confidence::Low { ", low confidence:" } else { "" };
        let _ = writeln!(text, "- {severity}{doubt} {} {place}{}{cost}", inline_code(&finding.rule), escape(&finding.message));
    }
    if findings.len() > SHOWN {
        let _ = writeln!(text, "- and {} more", findings.len() - SHOWN);
    }
}

pub(super) fn made_by(report: &QualityReport) -> String {
    let verified = if report.toolchain.verified { "verified" } else { "not verified" };
    let versions: Vec<String> =
        report.tool_versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let versions = if versions.is_empty() { String::new() } else { format!(" ({})", versions.join(", ")) };
    let fingerprint = short_digest(&report.toolchain.fingerprint);
    format!("Toolchain {} {verified}{versions}", inline_code(&fingerprint))
}

pub(super) fn format_score(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.1}"))
}

fn passed_word(passed: Option<bool>) -> &'static str {
    match passed {
        Some(true) => "passed",
        Some(false) => "**failed**",
        None => "",
    }
}

/// Text that means nothing to a reader of markdown.
pub(super) fn escape(text: &str) -> String {
    single_line(text).chars().fold(String::new(), |mut out, c| {
        if "\\`*_{}[]<>#|~!&".contains(c) {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

/// Text as code, with as many backticks around it as it takes; a bar would end the cell of a table.
pub(super) fn inline_code(text: &str) -> String {
    let text = single_line(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    if text.starts_with('`') || text.ends_with('`') {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(escape("<img src=x>\n[a](b) |"), "\\<img src=x\\> \\[a\\](b) \\|");
        assert_eq!(inline_code("a|b"), "`a\\|b`");
        assert_eq!(inline_code("a`b"), "``a`b``");
        assert_eq!(inline_code("`"), "`` ` ``");
    }
}
