//! The verdict on a change, as every face returns it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::result::{FileScore, Meta, NotMeasured, ProjectConfiguration, ResultStamp, Skipped};
use tapps_base::finding::{Finding, Severity};
use tapps_config::Gate;
use tapps_rules::suppression::Suppression;
use tapps_toolchain::git::Lines;

tapps_base::wire_enum! {
    /// What a change did.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum ChangeVerdict {
        /// It mended more than it cost.
        Improved = "improved",
        Neutral = "neutral",
        /// It cost more than it mended, and nothing that blocks.
        Worse = "worse",
        Blocked = "blocked",
    }
}

tapps_base::wire_enum! {
    /// What the change did to a file.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum FileStatus {
        Added = "added",
        Modified = "modified",
        Renamed = "renamed",
        /// A new file that is much like one that the change touches. What is new in it is new: a copy of debt is more debt.
        Copied = "copied",
        Deleted = "deleted",
        /// Nobody touched it; the change reaches it through what it uses.
        Untouched = "untouched",
    }
}

tapps_base::wire_enum! {
    /// Whether a finding is the change's.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum FindingState {
        New = "new",
        /// It was there before, and what it measures rose.
        Worsened = "worsened",
        /// It was there before.
        Existing = "existing",
        /// It was there before and is gone; file and line are those of the base.
        Mended = "mended",
    }
}

/// One of the two trees that are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedTree {
    /// Full name of the tree object; of files that are not committed the one that committing them would give.
    pub tree: String,
    /// The commit that has this tree, when it is that of one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub commit: Option<String>,
    /// How it was chosen, for example `merge base with refs/remotes/origin/main` or `working tree`.
    pub origin: String,
}

/// Points of the overall score (0–100 a file), and why they moved: `delta = mended − new − worsened + repriced`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangePoints {
    pub new: f64,
    pub worsened: f64,
    pub mended: f64,
    /// What findings that were there before cost less (or, negative, more) because the code around them changed: by
    /// density, repetition, shares and scaling. Never a reason to block.
    pub repriced: f64,
    pub delta: f64,
}

/// A finding with what the change has to do with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeFinding {
    pub state: FindingState,
    /// What it measured in the base, where that rose or fell.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measured_before: Option<u32>,
    /// Points of the overall score of its file that it cost in the base; 0 for a new one.
    pub points_before: f64,
    #[serde(flatten)]
    pub finding: Finding,
}

/// A function that became more complex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RisenFunction {
    pub name: String,
    pub line: u32,
    /// Cyclomatic complexity in the base.
    pub before: u32,
    pub after: u32,
}

/// How much of the changed lines that can run the tests ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoveredLines {
    /// Changed lines that can run.
    pub executable: usize,
    pub covered: usize,
    /// Changed lines that can run and did not, sorted.
    pub missing: Vec<u32>,
}

tapps_base::wire_enum! {
    /// Whether the coverage of the changed lines is known.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum PatchCoverageState {
        Measured = "measured",
        /// No changed line of a measured file can run.
        NotApplicable = "not_applicable",
        /// There is no coverage data, or it is of other text.
        NotMeasured = "not_measured",
    }
}

/// The coverage of the changed lines of all files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PatchCoverage {
    pub state: PatchCoverageState,
    /// Share of the changed executable lines that ran, 0–100.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub percent: Option<f64>,
    pub executable: usize,
    pub covered: usize,
    /// What the preset asks for, in percent.
    pub minimum: f64,
    /// Changed files whose data is of other text, with how that shows.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub refused: Vec<Skipped>,
}

tapps_base::wire_enum! {
    /// What the change has to do with a comment that hides findings.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum SuppressionState {
        New = "new",
        /// It stood in the base.
        Existing = "existing",
        /// It stood in the base and is gone; its line is that of the base.
        Removed = "removed",
    }
}

/// A finding that a comment hides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HiddenFinding {
    pub rule: String,
    pub line: u32,
    pub severity: Severity,
    pub message: String,
}

/// An entry of the ledger: a comment that hides findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuppressionChange {
    pub state: SuppressionState,
    #[serde(flatten)]
    pub suppression: Suppression,
    /// What it hides, where that was asked for: of all new ones, and of old ones that name rules of ruff or bandit.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hides: Vec<HiddenFinding>,
    /// Whether the checker that it speaks to was asked, so that what it hides is known.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub measured: bool,
    /// Of a new one that is not forgiven: why it blocks the change.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refused: Option<String>,
}

impl SuppressionChange {
    /// In one line: where it is, what it is, what it hides and why.
    #[must_use]
    pub fn describe(&self) -> String {
        let one = &self.suppression;
        let mut said = format!("line {}: {}", one.line, one.checker());
        if !one.rules.is_empty() {
            said = format!("{said} {}", one.rules.join(", "));
        }
        let hidden: Vec<&str> = self.hides.iter().map(|one| one.rule.as_str()).collect();
        if let Some(first) = hidden.first() {
            let more = if hidden.len() > 1 { format!(" and {} more", hidden.len() - 1) } else { String::new() };
            said = format!("{said} hides {first}{more}");
        } else if self.is_idle() {
            said.push_str(if self.state == SuppressionState::New {
                " hides nothing"
            } else {
                " hides nothing any more"
            });
        }
        match &one.reason {
            Some(reason) => format!("{said}: {reason}"),
            None => said,
        }
    }

    /// True for one that hides nothing of what was measured, now or any more.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.state != SuppressionState::Removed && self.measured && self.hides.is_empty()
    }
}

tapps_base::wire_enum! {
    /// A way to pass without mending.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum EvasionKind {
        DeletedTest = "deleted-test",
        /// It is not run any more, may fail, or ends before it states anything.
        SkippedTest = "skipped-test",
        FewerAssertions = "fewer-assertions",
        /// An assertion that cannot fail.
        HollowAssertion = "hollow-assertion",
        SwallowedFailure = "swallowed-failure",
        /// A tolerance or a time limit that is larger.
        Loosened = "loosened",
        /// Code under a name, or in a place, where no rule looks.
        LeftScope = "left-scope",
        /// Text that means something else than people see.
        InvisibleText = "invisible-text",
    }
}

/// Something that lets a change pass without mending anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evasion {
    pub kind: EvasionKind,
    /// False for what honest changes do as well: it is told.
    pub blocks: bool,
    /// 1-based, of the file as it is; 0 where the place is gone.
    pub line: u32,
    pub message: String,
}

/// What the change did to one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// Project-relative path with forward slashes; of a deleted file where it was.
    pub file: String,
    /// Where a renamed file was, and what a copied one was made from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub old_file: Option<String>,
    pub status: FileStatus,
    /// SHA-256 of the bytes as they are now; none of a deleted file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sha256: Option<String>,
    /// Of an untouched file: the changed file through which the change reaches it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub because: Option<String>,
    /// Overall score in the base, 0–100; null where there was none.
    pub before: Option<f64>,
    /// Overall score now, 0–100; null where there is none.
    pub after: Option<f64>,
    /// Null unless both sides have a score.
    pub points: Option<ChangePoints>,
    /// False when the change would pass without this file.
    pub passed: bool,
    /// Reasons why this file blocks the change.
    pub blocked: Vec<String>,
    /// New and worsened ones first by points, then existing ones, then mended ones.
    pub findings: Vec<ChangeFinding>,
    pub risen: Vec<RisenFunction>,
    /// Comments that hide findings: those of the file as it is in the order of its text, then those that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub suppressions: Vec<SuppressionChange>,
    /// What lets the change pass without mending, by line.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub evasions: Vec<Evasion>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub coverage: Option<CoveredLines>,
    /// What was to be measured and could not be, of the file as it is now.
    pub not_measured: Vec<NotMeasured>,
    /// Tools that were missing.
    pub missing_tools: Vec<String>,
    /// True when the file passes through a filter program that was not run, so that it was compared as it is stored.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub filtered: bool,
    /// The lines that the base does not have.
    #[serde(skip)]
    pub added_lines: Lines,
    /// The whole score of the file as it is now.
    #[serde(skip)]
    pub score: Option<FileScore>,
}

impl Evasion {
    /// In one line: what it is and where.
    #[must_use]
    pub fn describe(&self) -> String {
        match self.line {
            0 => format!("{}: {}", self.kind, self.message),
            line => format!("{} at line {line}: {}", self.kind, self.message),
        }
    }
}

impl FileChange {
    /// What honest changes do as well, and should be looked at.
    pub fn told_evasions(&self) -> impl Iterator<Item = &Evasion> {
        self.evasions.iter().filter(|one| !one.blocks)
    }

    /// The comments that the change brought and that are forgiven.
    pub fn forgiven_suppressions(&self) -> impl Iterator<Item = &SuppressionChange> {
        self.suppressions.iter().filter(|one| one.state == SuppressionState::New && one.refused.is_none())
    }

    /// The comments that stood in the base and hide nothing any more.
    pub fn idle_suppressions(&self) -> impl Iterator<Item = &SuppressionChange> {
        self.suppressions.iter().filter(|one| one.state == SuppressionState::Existing && one.is_idle())
    }

    /// The findings of one state, in their order.
    pub fn findings_in(&self, state: FindingState) -> impl Iterator<Item = &ChangeFinding> {
        self.findings.iter().filter(move |one| one.state == state)
    }
}

/// How many findings there are of each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingCounts {
    pub new: usize,
    pub worsened: usize,
    pub existing: usize,
    pub mended: usize,
}

/// Something to do, and what it gives back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Repair {
    pub file: String,
    pub line: u32,
    pub rule: String,
    /// What to do, as an imperative sentence.
    pub action: String,
    /// Points of the file's overall score.
    pub points: f64,
}

tapps_base::wire_enum! {
    /// Whose settings a change was judged by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum PolicyOrigin {
        /// Both sides have the same.
        Unchanged = "unchanged",
        /// The base's, which the change alters.
        Base = "base",
        /// The base has none, so the defaults count.
        Defaults = "defaults",
    }
}

/// What a change does to settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyChange {
    /// From the repository's top, with forward slashes.
    pub file: String,
    /// One text a setting, for example `preset: "strict" → "standard"`.
    pub what: Vec<String>,
    /// Why it blocks the change: it takes something from the tests, or hides what the change brings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub blocks: Vec<String>,
}

/// The settings that a change was judged by, and what it does to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Policy {
    pub origin: PolicyOrigin,
    /// Sorted by file. None of them decides what is found by this verdict.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub changes: Vec<PolicyChange>,
    /// What should be known of the settings.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

impl Policy {
    /// That of a change that leaves the settings alone.
    pub(super) const fn unchanged() -> Self {
        Self { origin: PolicyOrigin::Unchanged, changes: Vec::new(), note: None }
    }
}

/// The verdict on a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeReport {
    pub verdict: ChangeVerdict,
    /// False exactly when the verdict is `blocked`.
    pub passed: bool,
    /// True when nothing that was measured blocks the change, and something could not be measured.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub undecided: bool,
    pub preset: String,
    pub base: ComparedTree,
    pub head: ComparedTree,
    /// Why the change is blocked, files in their order.
    pub reasons: Vec<String>,
    pub counts: FindingCounts,
    /// Sums over the files that have points.
    pub points: ChangePoints,
    /// Blocked ones first, then by what was lost, then by path.
    pub files: Vec<FileChange>,
    pub patch_coverage: PatchCoverage,
    pub policy: Policy,
    /// What files had to reach.
    #[serde(skip)]
    pub gate: Option<Gate>,
    /// At most three, dearest first.
    pub next: Vec<Repair>,
    /// What should be known of how the sides were compared.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// Submodules and repositories inside the project that differ, which are not looked into.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_alone: Vec<String>,
    /// Files that changed and were not judged, sorted by path.
    pub skipped: Vec<Skipped>,
    pub toolchain: ResultStamp,
    pub config_digest: String,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub configuration: Option<ProjectConfiguration>,
    pub meta: Meta,
}
