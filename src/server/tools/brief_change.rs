//! The verdict on a change in the form that a model reads by default.

use schemars::JsonSchema;
use serde::Serialize;

use super::brief::{BriefFinding, FIRST, ReplyPage};
use super::detail::ReplyDetail;
use crate::dispatch::Touched;
use tapps_quality::change::report::{
    ChangeFinding, ChangePoints, ChangeReport, ChangeVerdict, FileChange, FileStatus, FindingCounts, FindingState,
    PatchCoverageState, PolicyChange, Repair,
};
use tapps_quality::result::{Meta, ResultStamp, short_digest};

/// Most findings of one file.
const FINDINGS: usize = 6;

/// The verdict on a change.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefChange {
    verdict: ChangeVerdict,
    passed: bool,
    preset: String,
    /// How the base was chosen, and its commit or tree.
    base: String,
    /// What was judged, and its tree.
    head: String,
    /// Why the change is blocked.
    reasons: Vec<String>,
    counts: FindingCounts,
    points: ChangePoints,
    /// Covered share of the changed lines that can run, in percent; absent where it is not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    patch_coverage: Option<f64>,
    /// Those with something to say: blocked ones first, then by what was lost.
    files: Vec<ChangeRow>,
    /// Changed files without new, worsened or mended findings.
    quiet_files: usize,
    /// Files that changed and were not judged.
    #[serde(skip_serializing_if = "tapps_base::is_default")]
    skipped: usize,
    /// New comments that hide findings and are forgiven, with what they hide and why; the others are among the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<String>,
    /// Tests that state less, and larger limits, that honest changes need as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    told: Vec<String>,
    /// What the change does to settings; it was judged by those of the base.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policy_changes: Vec<PolicyChange>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What to do first.
    next: Vec<Repair>,
    /// The argument that shows the findings which are left out of `files`; absent where none are.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<&'static str>,
    toolchain: ResultStamp,
    #[serde(flatten)]
    page: ReplyPage,
    meta: Meta,
}

/// One file of a change.
#[derive(Debug, Serialize, JsonSchema)]
struct ChangeRow {
    file: String,
    status: FileStatus,
    /// Of an untouched file: the changed one that it uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    before: Option<f64>,
    after: Option<f64>,
    #[serde(skip_serializing_if = "tapps_base::is_default")]
    mended: usize,
    /// New and worsened findings, dearest first.
    findings: Vec<ChangedFinding>,
    /// How many are not shown.
    #[serde(skip_serializing_if = "tapps_base::is_default")]
    more_findings: usize,
}

/// A new or worsened finding.
#[derive(Debug, Serialize, JsonSchema)]
struct ChangedFinding {
    /// True when it was there before and measures more now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    worsened: bool,
    #[serde(flatten)]
    finding: BriefFinding,
}

impl BriefChange {
    pub(super) fn from_change_report(report: &ChangeReport) -> Self {
        let rows: Vec<ChangeRow> = report.files.iter().filter_map(ChangeRow::from_file_change).collect();
        let (base, head) = (&report.base, &report.head);
        let measured = report.patch_coverage.state == PatchCoverageState::Measured;
        Self {
            verdict: report.verdict,
            passed: report.passed,
            preset: report.preset.clone(),
            base: format!("{} {}", base.origin, short_digest(base.commit.as_deref().unwrap_or(&base.tree))),
            head: format!("{} {}", head.origin, short_digest(&head.tree)),
            reasons: report.reasons.clone(),
            counts: report.counts,
            points: report.points,
            patch_coverage: report.patch_coverage.percent.filter(|_| measured),
            quiet_files: report.files.len() - rows.len(),
            more: rows.iter().any(|row| row.more_findings > 0).then_some(ReplyDetail::ADVICE),
            files: rows,
            skipped: report.skipped.len(),
            suppressions: report.files.iter().flat_map(forgiven_in).collect(),
            told: report.files.iter().flat_map(told_in).collect(),
            policy_changes: report.policy.changes.clone(),
            notes: report.notes.iter().chain(&report.policy.note).cloned().collect(),
            next: report.next.clone(),
            toolchain: report.toolchain.with_short_digests(),
            page: FIRST,
            meta: Meta::default(),
        }
    }
}

fn forgiven_in(file: &FileChange) -> impl Iterator<Item = String> {
    file.forgiven_suppressions().map(|one| format!("{} {}", file.file, one.describe()))
}

fn told_in(file: &FileChange) -> impl Iterator<Item = String> {
    file.told_evasions().map(|one| format!("{} {}", file.file, one.describe()))
}

impl ChangeRow {
    fn from_file_change(file: &FileChange) -> Option<Self> {
        let of = |state| file.findings_in(state);
        let told: Vec<&ChangeFinding> = of(FindingState::New).chain(of(FindingState::Worsened)).collect();
        let mended = of(FindingState::Mended).count();
        if told.is_empty() && mended == 0 && file.passed {
            return None;
        }
        let finding = |one: &&ChangeFinding| ChangedFinding {
            worsened: one.state == FindingState::Worsened,
            finding: BriefFinding::from_finding(&one.finding),
        };
        Some(Self {
            file: file.file.clone(),
            status: file.status,
            because: file.because.clone(),
            before: file.before,
            after: file.after,
            mended,
            findings: told.iter().take(FINDINGS).map(finding).collect(),
            more_findings: told.len().saturating_sub(FINDINGS),
        })
    }
}

/// The files that a verdict on a change speaks of, as the session remembers them.
pub(super) fn touched_by_change(report: &ChangeReport) -> Vec<Touched> {
    let touched = report.files.iter().filter_map(|file| {
        let sha256 = file.sha256.clone()?;
        Some(Touched { file: file.file.clone(), sha256, passed: file.passed })
    });
    touched.collect()
}
