//! What is known right after an edit, in the form that a model reads.

use schemars::JsonSchema;
use serde::Serialize;

use super::brief::{BriefFinding, FIRST, GateRow, ReplyPage};
use super::detail::ReplyDetail;
use tapps_base::finding::Category;
use tapps_quality::result::{
    Blocking, FileScore, GateReport, Meta, NotMeasured, ProjectConfiguration, ResultStamp, ScoreReport,
};
use tapps_quality::weights::{CategoryWeights, round6};

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
    /// The heaviest ones; `detail: "full"` has all of them.
    findings: Vec<BriefFinding>,
    findings_total: usize,
    /// True when these are not all; absent when they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    measured: Vec<Category>,
    /// What this check looks at and could not look at; absent when there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_measured: Vec<NotMeasured>,
}

/// Findings shown per file of a quick check.
const SHOWN: usize = 5;

/// What a quick check shows, and on which scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuickCheckView<'a> {
    /// Every finding of every file.
    pub(super) is_whole: bool,
    /// The weights that a full score of all categories has, where this one measures less.
    pub(super) weights: Option<&'a CategoryWeights>,
}

impl CheckedRow {
    fn from_file_score(score: &FileScore, view: QuickCheckView<'_>) -> Self {
        let mut findings = BriefFinding::rank_findings(&score.findings);
        if !view.is_whole {
            findings.truncate(SHOWN);
        }
        if let Some(weights) = view.weights {
            let measured = score.categories.iter().filter(|(_, one)| one.measured);
            let share: f64 = measured.map(|(category, _)| weights.share(*category, &Category::ALL)).sum();
            findings.iter_mut().for_each(|finding| finding.points = round6(finding.points * share));
        }
        Self {
            file: score.file.clone(),
            verdict: PreliminaryVerdict::from_file_scores(&[score]),
            blocking: score.blocking.clone(),
            truncated: findings.len() < score.findings.len(),
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

impl GateWord {
    fn is_cut(&self) -> bool {
        self.failures.iter().any(|row| row.more_failures > 0)
    }
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
    /// The argument that shows the findings which are left out of `files`; absent where none are.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<&'static str>,
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
    pub(super) fn of_score(report: &ScoreReport, view: QuickCheckView<'_>) -> Self {
        let scores: Vec<_> = report.files.iter().collect();
        Self::from_file_scores(&scores, view, report.configuration.as_ref(), None)
    }

    pub(super) fn of_gate(report: &GateReport, view: QuickCheckView<'_>) -> Self {
        let scores: Vec<_> = report.files.iter().map(|file| &file.result).collect();
        let word = GateWord {
            passed: report.passed,
            preset: report.preset.clone(),
            failures: report
                .files
                .iter()
                .filter(|file| !file.passed)
                .map(|file| GateRow::from_file_gate(file, view.is_whole))
                .collect(),
        };
        Self::from_file_scores(&scores, view, report.configuration.as_ref(), Some(word))
    }

    fn from_file_scores(
        scores: &[&FileScore],
        view: QuickCheckView<'_>,
        configuration: Option<&ProjectConfiguration>,
        gate: Option<GateWord>,
    ) -> Self {
        let verdict = PreliminaryVerdict::from_file_scores(scores);
        let is_due = gate.is_none() && !matches!(verdict, PreliminaryVerdict::Blocked);
        let files: Vec<CheckedRow> = scores.iter().map(|score| CheckedRow::from_file_score(score, view)).collect();
        let is_cut = files.iter().any(|row| row.truncated) || gate.iter().any(GateWord::is_cut);
        Self {
            verdict,
            more: is_cut.then_some(ReplyDetail::ADVICE),
            files,
            next: is_due.then(|| "tapps_quality_gate".to_owned()),
            gate,
            degraded: scores.iter().any(|score| score.degraded),
            configuration: configuration.cloned(),
            toolchain: ResultStamp::of_scores(scores.iter().copied()).map(|stamp| stamp.with_short_digests()),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}
