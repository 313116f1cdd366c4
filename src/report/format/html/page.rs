//! The page with everything it shows, worked out beforehand.

use askama::Template;

use super::charts::{self, Trend};
use crate::document::{FileReport, QualityReport};
use crate::format::escape::single_line;
use tapps_base::finding::{Confidence, Finding, Severity};
use tapps_base::{Error, Result};

/// Severities as they are shown, worst first.
const SEVERITIES: [Severity; 5] = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low, Severity::Info];

/// More files than this are listed without being open.
const OPEN: usize = 5;

#[derive(Template)]
#[template(path = "page.html")]
struct HtmlPage<'a> {
    title: String,
    verdict: &'static str,
    lead: String,
    mean: Option<String>,
    /// Length of the ring's arc, of 100.
    arc: String,
    preset: Option<&'a str>,
    severities: Vec<SeverityCount>,
    bars: Vec<Bar>,
    tenths: Vec<Tenth>,
    rules: Vec<RuleRow>,
    trend: Option<Trend>,
    files: Vec<FileSection>,
    skipped: Vec<(String, String)>,
    verified: bool,
    fingerprint: String,
    versions: String,
    config: String,
    version: &'static str,
}

/// How many findings there are of one severity, and their share of a whole of 100.
struct SeverityCount {
    name: &'static str,
    count: usize,
    at: String,
    width: String,
}

/// The mean of a category.
struct Bar {
    name: String,
    value: Option<String>,
    width: String,
    lowest: String,
}

/// The files whose score lies in one tenth of the scale.
struct Tenth {
    label: String,
    count: usize,
    height: String,
    x: usize,
}

struct RuleRow {
    rule: String,
    count: usize,
    points: String,
}

struct FileSection {
    number: usize,
    name: String,
    score: Option<String>,
    state: &'static str,
    word: &'static str,
    open: bool,
    failures: Vec<String>,
    warnings: Vec<String>,
    categories: Vec<Bar>,
    findings: Vec<Row>,
    suppressions: Vec<String>,
}

/// A finding.
struct Row {
    severity: &'static str,
    rule: String,
    place: String,
    message: String,
    help: Option<String>,
    points: Option<String>,
    doubted: bool,
}

/// Renders the report.
pub(super) fn render_html(report: &QualityReport) -> Result<String> {
    let text = page(report).render().map_err(|e| Error::internal(format!("the report has no page: {e}")))?;
    Ok(text.trim_start().to_owned() + "\n")
}

/// The word for a severity.
pub(crate) const fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::High => "high",
        Severity::Medium => "medium",
        Severity::Low => "low",
        Severity::Info => "info",
    }
}

fn page(report: &QualityReport) -> HtmlPage<'_> {
    let summary = &report.summary;
    let (verdict, title) = match report.passed {
        Some(true) => ("passed", "Passed"),
        Some(false) => ("failed", "Failed"),
        None => ("scored", "Scored"),
    };
    let versions: Vec<String> =
        report.tool_versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    HtmlPage {
        title: title.to_owned(),
        verdict,
        lead: lead_sentence(report),
        mean: summary.mean.map(|mean| format!("{mean:.1}")),
        arc: format!("{:.2}", summary.mean.unwrap_or_default()),
        preset: report.preset.as_deref(),
        severities: severity_counts(report),
        bars: summary
            .categories
            .iter()
            .map(|c| Bar::new(c.category.as_str(), c.mean, c.lowest.as_deref().unwrap_or_default()))
            .collect(),
        tenths: tenths(report),
        rules: summary
            .rules
            .iter()
            .map(|rule| RuleRow { rule: single_line(&rule.rule), count: rule.count, points: format!("{:.2}", rule.points) })
            .collect(),
        trend: charts::draw_trend(&report.trend),
        files: files(report),
        skipped: report.skipped.iter().map(|skipped| (single_line(&skipped.file), single_line(&skipped.reason))).collect(),
        verified: report.toolchain.verified,
        fingerprint: report.toolchain.fingerprint.chars().take(16).collect(),
        versions: versions.join(" · "),
        config: report.config_digest.chars().take(16).collect(),
        version: env!("CARGO_PKG_VERSION"),
    }
}

fn lead_sentence(report: &QualityReport) -> String {
    let (files, failed, findings) = (report.summary.files, report.summary.failed, report.summary.findings);
    let counted = |count: usize, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
    let (files, findings) = (counted(files, "file"), counted(findings, "finding"));
    match (report.passed, failed) {
        (Some(true), _) => format!("Every one of {files} passes, with {findings}."),
        (Some(false), _) => format!("{failed} of {files} fail, with {findings} in all."),
        (None, 0) => format!("{files} with {findings}; nothing blocks a gate."),
        (None, _) => format!("{files} with {findings}; {failed} cannot pass any gate."),
    }
}

/// The shares of the severities, side by side; those without findings have no width.
fn severity_counts(report: &QualityReport) -> Vec<SeverityCount> {
    #[expect(clippy::cast_precision_loss, reason = "numbers of findings are far below 2^52")]
    let share = |count: usize| count as f64 * 100.0 / report.summary.findings.max(1) as f64;
    let mut at = 0.0;
    let count = |severity_: Severity| {
        let count = report.summary.severities.get(&severity_).copied().unwrap_or_default();
        let width = share(count);
        let left = at;
        at += width;
        SeverityCount { name: severity_word(severity_), count, at: format!("{left:.2}"), width: format!("{width:.2}") }
    };
    SEVERITIES.into_iter().map(count).collect()
}

fn tenths(report: &QualityReport) -> Vec<Tenth> {
    let counts = charts::count_by_tenth(report.files.iter().filter_map(|file| file.score));
    let most = counts.iter().copied().max().unwrap_or_default().max(1);
    let tenth = |(index, &count): (usize, &usize)| Tenth {
        label: format!("{}–{}", index * 10, index * 10 + 10),
        count,
        #[expect(clippy::cast_precision_loss, reason = "numbers of files are far below 2^52")]
        height: format!("{:.1}", count as f64 * 80.0 / most as f64),
        x: index * 32,
    };
    counts.iter().enumerate().map(tenth).collect()
}

/// The files, those that fail first, then those with the lowest score.
fn files(report: &QualityReport) -> Vec<FileSection> {
    let mut order: Vec<&FileReport> = report.files.iter().collect();
    order.sort_by(|a, b| {
        let score = |file: &FileReport| file.score.unwrap_or(-1.0);
        b.failed().cmp(&a.failed()).then(score(a).total_cmp(&score(b))).then_with(|| a.file.cmp(&b.file))
    });
    let few = order.len() <= OPEN;
    order.into_iter().enumerate().map(|(number, file)| FileSection::new(number, file, few)).collect()
}

impl FileSection {
    fn new(number: usize, file: &FileReport, few: bool) -> Self {
        let mut findings: Vec<&Finding> = file.findings.iter().collect();
        findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.order(b)));
        let (state, word) = match (file.failed(), file.passed) {
            (true, Some(_)) => ("failed", "failed"),
            (true, None) => ("failed", "blocked"),
            (false, Some(_)) => ("passed", "passed"),
            (false, None) => ("scored", "scored"),
        };
        let categories =
            file.categories.iter().map(|(category, score)| Bar::new(category.as_str(), score.score, &score.details));
        Self {
            number,
            name: single_line(&file.file),
            score: file.score.map(|score| format!("{score:.1}")),
            state,
            word,
            open: few || (file.failed() && number < OPEN),
            failures: file.failures.iter().map(|failure| single_line(failure)).collect(),
            warnings: file.warnings.iter().map(|warning| single_line(warning)).collect(),
            categories: categories.collect(),
            findings: findings.into_iter().map(Row::new).collect(),
            suppressions: file.suppressions.iter().map(|one| single_line(&one.describe())).collect(),
        }
    }
}

impl Bar {
    fn new(name: &str, value: Option<f64>, note: &str) -> Self {
        Self {
            name: name.replace('_', " "),
            value: value.map(|value| format!("{value:.1}")),
            width: format!("{:.1}", value.unwrap_or_default() * 10.0),
            lowest: single_line(note),
        }
    }
}

impl Row {
    fn new(finding: &Finding) -> Self {
        Self {
            severity: severity_word(finding.severity),
            rule: single_line(&finding.rule),
            place: if finding.line > 0 { format!("line {}", finding.line) } else { "file".to_owned() },
            message: single_line(&finding.message),
            help: finding.help.as_deref().map(single_line).filter(|help| !help.is_empty()),
            doubted: finding.confidence == Confidence::Low,
            points: (finding.points > 0.0).then(|| format!("−{:.2}", finding.points)),
        }
    }
}
