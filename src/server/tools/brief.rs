//! Results in the form that a model reads by default: what was decided, why, and what to do, without repetition.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::dispatch::Touched;
use tapps_base::finding::{Category, Finding, Severity};
use tapps_quality::result::{
    AnalysisMode, Blocking, FileGate, FileScore, GateReport, Meta, NotMeasured, ProjectConfiguration, ResultStamp,
    ScoreReport, Suggestion,
};
use tapps_quality::scan::SecurityReport;

/// A finding without what can be looked up under its rule.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefFinding {
    rule: String,
    severity: Severity,
    line: u32,
    message: String,
    /// Points of the overall score that it costs.
    #[serde(skip_serializing_if = "is_zero")]
    points: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwe: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owasp: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(points: &f64) -> bool {
    *points == 0.0
}

impl BriefFinding {
    pub(super) fn from_finding(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            severity: finding.severity,
            line: finding.line,
            message: finding.message.clone(),
            points: finding.points,
            cwe: finding.cwe.clone(),
            owasp: finding.owasp.as_ref().and_then(|owasp| owasp.y2021.clone()),
        }
    }

    /// The heaviest first: by severity, then by what they cost, then by place.
    fn rank_findings(findings: &[Finding]) -> Vec<Self> {
        let mut ranked: Vec<&Finding> = findings.iter().collect();
        ranked.sort_by(|a, b| b.severity.cmp(&a.severity).then(b.points.total_cmp(&a.points)).then_with(|| a.order(b)));
        ranked.into_iter().map(Self::from_finding).collect()
    }
}

/// The pages that a budgeted reply can have; filled in by the layer that applies the budget.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReplyPage {
    /// True when `findings` or `files` is not the whole list.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    /// Length of the whole list.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// Pass it as `cursor` for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

pub(super) const FIRST: ReplyPage = ReplyPage { truncated: None, total: None, next_cursor: None };

/// The score of one file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefScore {
    file: String,
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
            sha256: score.sha256.clone(),
            mode: score.mode,
            overall: score.overall,
            categories: category_scores(score),
            blocking: score.blocking.clone(),
            suggestions: score.suggestions.clone(),
            findings: BriefFinding::rank_findings(&score.findings),
            counts: count_by_severity(&score.findings),
            degraded: score.degraded,
            not_measured: score.not_measured.clone(),
            tool_versions: score.tool_versions.clone(),
            configuration: configuration.cloned(),
            toolchain: score.toolchain.clone(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

/// The verdict on one file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefGate {
    file: String,
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
            sha256: gate.result.sha256.clone(),
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
            toolchain: gate.result.toolchain.clone(),
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
}

impl GateRow {
    fn from_file_gate(gate: &FileGate) -> Self {
        let failures = gate.failures.iter().take(3).cloned().collect();
        Self { file: gate.file.clone(), passed: gate.passed, score: gate.score, failures }
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
            files: files.into_iter().map(GateRow::from_file_gate).collect(),
            skipped: report.skipped.len(),
            recommendation,
            configuration: report.configuration.clone(),
            toolchain: report.toolchain.clone(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

/// What a security scan found.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefSecurity {
    file: String,
    sha256: String,
    passed: bool,
    score: Option<f64>,
    counts: BTreeMap<Severity, u32>,
    findings: Vec<BriefFinding>,
    not_measured: Vec<NotMeasured>,
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
            sha256: report.sha256.clone(),
            passed: report.passed,
            score: report.score,
            counts: report.counts.clone(),
            findings: BriefFinding::rank_findings(&report.findings),
            not_measured: report.not_measured.clone(),
            tool_versions: report.tool_versions.clone(),
            toolchain: report.toolchain.clone(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

/// Whether anything found so far stops the gate; there is no word for passing, since only the gate decides that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PreliminaryVerdict {
    Blocked,
    /// Nothing that was looked at blocks, and something could not be looked at.
    NotMeasured,
    CleanSoFar,
}

impl PreliminaryVerdict {
    pub(super) fn from_file_scores(scores: &[&FileScore]) -> Self {
        if scores.iter().any(|score| !score.blocking.is_empty()) {
            Self::Blocked
        } else if scores.iter().any(|score| score.degraded) {
            Self::NotMeasured
        } else {
            Self::CleanSoFar
        }
    }
}

/// One file of a quick check.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CheckedRow {
    file: String,
    verdict: PreliminaryVerdict,
    blocking: Vec<Blocking>,
    /// The heaviest ones.
    findings: Vec<BriefFinding>,
    findings_total: usize,
    measured: Vec<Category>,
    /// What this check looks at and could not look at; absent when there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_measured: Vec<NotMeasured>,
}

/// Findings shown per file of a quick check.
const SHOWN: usize = 5;

impl CheckedRow {
    fn from_file_score(score: &FileScore) -> Self {
        let mut findings = BriefFinding::rank_findings(&score.findings);
        findings.truncate(SHOWN);
        Self {
            file: score.file.clone(),
            verdict: PreliminaryVerdict::from_file_scores(&[score]),
            blocking: score.blocking.clone(),
            findings,
            findings_total: score.findings.len(),
            measured: score.categories.iter().filter(|(_, one)| one.measured).map(|(name, _)| *name).collect(),
            not_measured: score.failed_gaps().cloned().collect(),
        }
    }
}

/// The gate's word inside a quick check.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GateWord {
    passed: bool,
    preset: String,
    failures: Vec<GateRow>,
}

/// What is known right after an edit.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct QuickCheck {
    verdict: PreliminaryVerdict,
    files: Vec<CheckedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<GateWord>,
    /// The tool that decides; left out while something blocks, which has to be mended first.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    degraded: bool,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<ProjectConfiguration>,
    toolchain: Option<ResultStamp>,
    #[serde(flatten)]
    page: ReplyPage,
    meta: Meta,
}

impl QuickCheck {
    pub(super) fn of_score(report: &ScoreReport) -> Self {
        let scores: Vec<_> = report.files.iter().collect();
        Self::from_file_scores(&scores, report.configuration.as_ref(), None)
    }

    pub(super) fn of_gate(report: &GateReport) -> Self {
        let scores: Vec<_> = report.files.iter().map(|file| &file.result).collect();
        let word = GateWord {
            passed: report.passed,
            preset: report.preset.clone(),
            failures: report.files.iter().filter(|file| !file.passed).map(GateRow::from_file_gate).collect(),
        };
        Self::from_file_scores(&scores, report.configuration.as_ref(), Some(word))
    }

    fn from_file_scores(
        scores: &[&FileScore],
        configuration: Option<&ProjectConfiguration>,
        gate: Option<GateWord>,
    ) -> Self {
        let verdict = PreliminaryVerdict::from_file_scores(scores);
        let is_due = gate.is_none() && !matches!(verdict, PreliminaryVerdict::Blocked);
        Self {
            verdict,
            files: scores.iter().map(|score| CheckedRow::from_file_score(score)).collect(),
            next: is_due.then(|| "tapps_quality_gate".to_owned()),
            gate,
            degraded: scores.iter().any(|score| score.degraded),
            configuration: configuration.cloned(),
            toolchain: ResultStamp::of_scores(scores.iter().copied()),
            page: FIRST,
            meta: Meta::default(),
        }
    }
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
