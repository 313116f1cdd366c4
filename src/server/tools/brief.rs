//! Results in the form that a model reads by default: what was decided, why, and what to do, without repetition.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::dispatch::Touched;
use tapps_base::finding::{Category, Confidence, Finding, Severity, Tool};
use tapps_quality::result::{
    AnalysisMode, Blocking, FileGate, FileScore, GateReport, Meta, NotMeasured, ProjectConfiguration, ResultStamp,
    Suggestion, short_digest,
};
use tapps_quality::scan::SecurityReport;

/// A finding without what can be looked up under its rule.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefFinding {
    rule: String,
    severity: Severity,
    /// Left out where it is high.
    #[serde(skip_serializing_if = "tapps_base::is_default")]
    confidence: Confidence,
    line: u32,
    message: String,
    /// Points of the overall score that it costs; in a quick check, of a full one in which every category is measured.
    #[serde(skip_serializing_if = "tapps_base::is_default")]
    pub(super) points: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwe: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owasp: Option<String>,
}

impl BriefFinding {
    pub(super) fn from_finding(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            severity: finding.severity,
            confidence: finding.confidence,
            line: finding.line,
            message: finding.message.clone(),
            points: finding.points,
            cwe: finding.cwe.clone(),
            owasp: finding.owasp.as_ref().and_then(|owasp| owasp.y2021.clone()),
        }
    }

    /// The heaviest first: by severity, then by what they cost, then by place.
    pub(super) fn rank_findings(findings: &[Finding]) -> Vec<Self> {
        let mut ranked: Vec<&Finding> = findings.iter().collect();
        ranked.sort_by(|a, b| b.severity.cmp(&a.severity).then(b.points.total_cmp(&a.points)).then_with(|| a.order(b)));
        ranked.into_iter().map(Self::from_finding).collect()
    }
}

/// The pages that a budgeted reply can have; filled in by the layer that applies the budget.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReplyPage {
    /// True when a list is not whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    /// Length of the whole list `findings` or `files`.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// Other lists that go on, with their whole length.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<BTreeMap<String, usize>>,
    /// Pass it as `cursor` for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

pub(super) const FIRST: ReplyPage = ReplyPage { truncated: None, total: None, cut: None, next_cursor: None };

/// The score of one file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefScore {
    file: String,
    /// The first 12 digits; `detail: "full"` has all, here and in `toolchain`.
    sha256: String,
    mode: AnalysisMode,
    overall: Option<f64>,
    categories: BTreeMap<Category, Option<f64>>,
    blocking: Vec<Blocking>,
    suggestions: Vec<Suggestion>,
    findings: Vec<BriefFinding>,
    counts: BTreeMap<Severity, u32>,
    degraded: bool,
    not_measured: Vec<NotMeasured>,
    /// Of the project's own tools that found something; the others are those of `toolchain`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tool_versions: BTreeMap<String, String>,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<ProjectConfiguration>,
    toolchain: ResultStamp,
    #[serde(flatten)]
    page: ReplyPage,
    meta: Meta,
}

impl BriefScore {
    pub(super) fn from_file_score(score: &FileScore, configuration: Option<&ProjectConfiguration>) -> Self {
        Self {
            file: score.file.clone(),
            sha256: short_digest(&score.sha256),
            mode: score.mode,
            overall: score.overall,
            categories: category_scores(score),
            blocking: score.blocking.clone(),
            suggestions: score.suggestions.clone(),
            findings: BriefFinding::rank_findings(&score.findings),
            counts: count_by_severity(&score.findings),
            degraded: score.degraded,
            not_measured: score.not_measured.clone(),
            tool_versions: own_tool_versions(&score.findings, &score.tool_versions),
            configuration: configuration.cloned(),
            toolchain: score.toolchain.with_short_digests(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

/// The verdict on one file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefGate {
    file: String,
    /// The first 12 digits; `detail: "full"` has all, here and in `toolchain`.
    sha256: String,
    passed: bool,
    /// True when it has not passed only because something could not be measured.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    undecided: bool,
    preset: String,
    score: Option<f64>,
    threshold: f64,
    failures: Vec<String>,
    warnings: Vec<String>,
    recommendation: String,
    categories: BTreeMap<Category, Option<f64>>,
    /// None where the file has passed: `counts` says how many there are, `detail: "full"` which.
    findings: Vec<BriefFinding>,
    /// Findings by severity, those that are not listed too.
    counts: BTreeMap<Severity, u32>,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<ProjectConfiguration>,
    toolchain: ResultStamp,
    #[serde(flatten)]
    page: ReplyPage,
    meta: Meta,
}

impl BriefGate {
    pub(super) fn from_file_gate(gate: &FileGate, report: &GateReport) -> Self {
        Self {
            file: gate.file.clone(),
            sha256: short_digest(&gate.result.sha256),
            passed: gate.passed,
            undecided: gate.undecided,
            preset: report.preset.clone(),
            score: gate.score,
            threshold: gate.threshold,
            failures: gate.failures.clone(),
            warnings: gate.warnings.clone(),
            recommendation: gate.recommendation.clone(),
            categories: category_scores(&gate.result),
            findings: if gate.passed { Vec::new() } else { BriefFinding::rank_findings(&gate.result.findings) },
            counts: count_by_severity(&gate.result.findings),
            configuration: report.configuration.clone(),
            toolchain: gate.result.toolchain.with_short_digests(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

/// One file of a batch.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GateRow {
    file: String,
    passed: bool,
    score: Option<f64>,
    /// At most three; ask for the file alone to see the rest.
    failures: Vec<String>,
    /// How many are not shown.
    #[serde(skip_serializing_if = "tapps_base::is_default")]
    pub(super) more_failures: usize,
}

/// Failures of a file of a batch that are shown.
const FAILURES: usize = 3;

impl GateRow {
    pub(super) fn from_file_gate(gate: &FileGate, is_whole: bool) -> Self {
        let shown = if is_whole { gate.failures.len() } else { FAILURES };
        Self {
            file: gate.file.clone(),
            passed: gate.passed,
            score: gate.score,
            failures: gate.failures.iter().take(shown).cloned().collect(),
            more_failures: gate.failures.len().saturating_sub(shown),
        }
    }
}

/// The verdict on a batch.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefBatch {
    passed: bool,
    preset: String,
    failed: usize,
    /// Those that failed first.
    files: Vec<GateRow>,
    /// Files that were named or found but not judged.
    skipped: usize,
    /// What to do first.
    recommendation: String,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<ProjectConfiguration>,
    toolchain: ResultStamp,
    #[serde(flatten)]
    page: ReplyPage,
    meta: Meta,
}

impl BriefBatch {
    pub(super) fn from_gate_report(report: &GateReport) -> Self {
        let mut files: Vec<&FileGate> = report.files.iter().collect();
        // Stable: within both halves the order by path stays.
        files.sort_by_key(|file| file.passed);
        let recommendation = match files.first() {
            Some(first) if !first.passed => format!("{}: {}", first.file, first.recommendation),
            Some(_) => "nothing: every file passes".to_owned(),
            None => "nothing: no file was judged".to_owned(),
        };
        Self {
            passed: report.passed,
            preset: report.preset.clone(),
            failed: report.failed,
            files: files.into_iter().map(|file| GateRow::from_file_gate(file, false)).collect(),
            skipped: report.skipped.len(),
            recommendation,
            configuration: report.configuration.clone(),
            toolchain: report.toolchain.with_short_digests(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

/// What a security scan found.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefSecurity {
    file: String,
    /// The first 12 digits; `detail: "full"` has all, here and in `toolchain`.
    sha256: String,
    passed: bool,
    score: Option<f64>,
    counts: BTreeMap<Severity, u32>,
    findings: Vec<BriefFinding>,
    not_measured: Vec<NotMeasured>,
    /// Of the project's own tools that found something; the others are those of `toolchain`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tool_versions: BTreeMap<String, String>,
    toolchain: ResultStamp,
    #[serde(flatten)]
    page: ReplyPage,
    meta: Meta,
}

impl BriefSecurity {
    pub(super) fn from_security_report(report: &SecurityReport) -> Self {
        Self {
            file: report.file.clone(),
            sha256: short_digest(&report.sha256),
            passed: report.passed,
            score: report.score,
            counts: report.counts.clone(),
            findings: BriefFinding::rank_findings(&report.findings),
            not_measured: report.not_measured.clone(),
            tool_versions: own_tool_versions(&report.findings, &report.tool_versions),
            toolchain: report.toolchain.with_short_digests(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

/// The versions of the project's own tools that found something.
fn own_tool_versions(findings: &[Finding], versions: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let own = findings.iter().filter(|finding| finding.tool == Tool::Own);
    let named = own.filter_map(|finding| finding.rule.split_once(':').map(|(tool, _)| tool));
    named.filter_map(|tool| versions.get_key_value(tool)).map(|(tool, said)| (tool.clone(), said.clone())).collect()
}

fn category_scores(score: &FileScore) -> BTreeMap<Category, Option<f64>> {
    score.categories.iter().map(|(name, category)| (*name, category.score)).collect()
}

fn count_by_severity(findings: &[Finding]) -> BTreeMap<Severity, u32> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.severity).or_default() += 1;
    }
    counts
}

/// What the call log keeps of a scored file.
pub(super) fn touched_by_score(score: &FileScore) -> Touched {
    Touched {
        file: score.file.clone(),
        sha256: score.sha256.clone(),
        passed: score.blocking.is_empty() && !score.degraded,
    }
}

/// What the call log keeps of a judged file.
pub(super) fn touched_by_gate(gate: &FileGate) -> Touched {
    Touched { file: gate.file.clone(), sha256: gate.result.sha256.clone(), passed: gate.passed }
}
