//! The result of scoring, as every face returns it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::finding::{Category, Finding, Severity};
use tapps_base::language::ScoredLanguage;
pub use tapps_names::stamp::NamesStamp;
pub use tapps_rules::suppression::Suppression;
pub use tapps_security::bandit::BanditFinding;
use tapps_toolchain::Toolchain;

pub use crate::types::LibraryTypesStamp;

/// Which analyzers ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisMode {
    /// ruff, native metrics, secrets: milliseconds; categories that need more are not measured.
    Quick,
    /// Everything.
    #[default]
    Full,
}

/// One category of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CategoryScore {
    /// 0–10, 10 best; null when not measured.
    pub score: Option<f64>,
    /// Share of the overall score after the weights of unmeasured categories were spread over the others.
    pub weight: f64,
    pub measured: bool,
    /// One sentence: the measurements behind the score, or why there is none.
    pub details: String,
    /// 10 minus the sum of these is the score.
    pub deductions: Vec<Deduction>,
}

/// One reason for a lower category score; it names a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Deduction {
    pub rule: String,
    /// Line of the finding; 0 for the file or project as a whole.
    pub line: u32,
    /// Fingerprint of the finding.
    pub finding: String,
    /// Category points lost, 0–10.
    pub points: f64,
}

/// A reason to fail any gate, whatever the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blocking {
    pub rule: String,
    pub line: u32,
    pub message: String,
}

/// What to change, where, and what it gives back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Suggestion {
    pub rule: String,
    /// Line of the first place.
    pub line: u32,
    /// How many findings the suggestion covers.
    pub count: u32,
    /// What to do, as an imperative sentence.
    pub action: String,
    /// Points of the overall score that it gives back.
    pub points: f64,
    /// Rough work it takes: a line 1, a block 4, a file or its callers 8, tests or the project 12. What gives back most for
    /// it stands first.
    #[serde(default)]
    pub effort: u32,
}

/// An issue as ruff reports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuffIssue {
    pub code: String,
    pub message: String,
    pub line: u32,
    pub column: u32,
    /// True when ruff itself can fix it without changing behaviour.
    pub fixable: bool,
}

/// An error as mypy reports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MypyError {
    pub code: String,
    pub message: String,
    pub line: u32,
    pub column: u32,
}

/// A secret; its value is never shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecretFinding {
    pub rule: String,
    pub severity: Severity,
    pub message: String,
    pub line: u32,
}

/// Something that was not measured, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct NotMeasured {
    pub category: Category,
    /// The tool that would have measured it, if one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    pub reason: String,
    /// True when it was to be measured and could not be; absent where the mode or the request leaves it out, or where the
    /// file itself does not parse.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub failed: bool,
}

/// Which bytes made the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResultStamp {
    /// Digest over the lock of the tools, rule-set version and engine version: equal on every machine that has the same.
    pub fingerprint: String,
    /// True when every tool file was checked against the embedded manifest.
    pub verified: bool,
    /// The interpreter that tools ran on; null when nothing of the result depends on one.
    #[serde(default)]
    pub interpreter: Option<InterpreterStamp>,
    /// The types of libraries that mypy read; absent where nothing of the result depends on any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub types: Option<LibraryTypesStamp>,
}

/// The interpreter that made a part of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterpreterStamp {
    /// `CPython`.
    pub implementation: String,
    /// `X.Y.Z`.
    pub version: String,
    /// Digest of its bytes: the program or its shared library, and the modules of its standard library that tools load.
    pub digest: String,
}

impl InterpreterStamp {
    /// Of the interpreter of a toolchain that may run.
    #[must_use]
    pub fn of_toolchain(toolchain: &Toolchain) -> Option<Self> {
        let interpreter = toolchain.interpreter()?;
        let digest = interpreter.digest.clone()?;
        let (implementation, version) = (interpreter.implementation.clone(), interpreter.version.clone());
        Some(Self { implementation, version, digest })
    }
}

/// Digits of a digest in a reply that is short: enough to tell two apart, and the beginning of the whole.
pub const SHORT_DIGEST: usize = 12;

/// The beginning of a digest.
#[must_use]
pub fn short_digest(digest: &str) -> String {
    digest.chars().take(SHORT_DIGEST).collect()
}

impl ResultStamp {
    /// The same with the beginnings of its digests.
    #[must_use]
    pub fn with_short_digests(&self) -> Self {
        let interpreter =
            self.interpreter.clone().map(|one| InterpreterStamp { digest: short_digest(&one.digest), ..one });
        let types = self.types.clone().map(|one| LibraryTypesStamp { digest: short_digest(&one.digest), ..one });
        Self { fingerprint: short_digest(&self.fingerprint), verified: self.verified, interpreter, types }
    }

    /// The stamp of something made of several results: it depends on an interpreter, or on types, when one of them does.
    #[must_use]
    pub fn of_results<'a>(&self, stamps: impl IntoIterator<Item = &'a Self>) -> Self {
        let stamps: Vec<&Self> = stamps.into_iter().collect();
        let interpreter = stamps.iter().find_map(|stamp| stamp.interpreter.clone());
        let types = stamps.iter().find_map(|stamp| stamp.types.clone());
        Self { interpreter, types, ..self.clone() }
    }

    /// The one stamp of scores that were made together; none of no scores.
    pub fn of_scores<'a>(scores: impl IntoIterator<Item = &'a FileScore> + Clone) -> Option<Self> {
        let first = scores.clone().into_iter().next()?;
        Some(first.toolchain.of_results(scores.into_iter().map(|score| &score.toolchain)))
    }
}

/// The one place where clock values may stand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Meta {
    pub elapsed_ms: u64,
    /// The project that was asked, from a server that answers for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// The commit that is checked out there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// What is known about the tests of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileTestCoverage {
    /// Share of executable lines that a test run reached, 0–100; null when there is no coverage data.
    pub percent: Option<f64>,
    /// Where it comes from: the data file, or `static reach`.
    pub origin: String,
}

/// A file that was named or found but not judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    pub file: String,
    pub reason: String,
}

/// What is known of the types that a script uses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TypesStamp {
    /// SHA-256 over the declarations of packages that were read with the file; equal digests mean equal findings.
    pub digest: String,
    /// Every declaration that the file needs was there. Otherwise its types are unknown, and nothing is said of them.
    pub complete: bool,
    /// What was not there, sorted: modules, packages of declarations, names that they declare.
    pub missing: Vec<String>,
}

/// What was taken of the project's own configuration of ruff and mypy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectConfiguration {
    /// Tool and file whose rules were followed.
    pub followed: Vec<String>,
    /// Tool and key of what was not: keys that can name code or a file, or that this program decides itself.
    pub left_out: Vec<String>,
}

/// The score of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileScore {
    /// Project-relative path with forward slashes.
    pub file: String,
    /// SHA-256 of the bytes that were scored.
    pub sha256: String,
    /// Null for a text file of another language, in which only secrets are looked for.
    pub language: Option<ScoredLanguage>,
    pub mode: AnalysisMode,
    /// 0–100; null when the file cannot be scored (a syntax error, or no scored language).
    pub overall: Option<f64>,
    pub categories: BTreeMap<Category, CategoryScore>,
    pub ruff_issues: Vec<RuffIssue>,
    pub mypy_errors: Vec<MypyError>,
    pub bandit_findings: Vec<BanditFinding>,
    pub secret_findings: Vec<SecretFinding>,
    /// All findings of all tools, de-duplicated, sorted by place.
    pub findings: Vec<Finding>,
    pub blocking: Vec<Blocking>,
    /// Comments that hide findings, in the order of the text.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub suppressions: Vec<Suppression>,
    /// At most five: what blocks first, then by points for the effort.
    pub suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub coverage: Option<FileTestCoverage>,
    /// Share of the statements that stand in the project a second time, 0–100; none when that was not looked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duplication: Option<f64>,
    /// What had a say on the names of libraries; none where nothing is installed beside the project, or nothing of it used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub names: Option<NamesStamp>,
    /// What had a say on the types of a script; none where they were not looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub types: Option<TypesStamp>,
    /// True when something that this mode measures could not be measured.
    pub degraded: bool,
    pub not_measured: Vec<NotMeasured>,
    pub missing_tools: Vec<String>,
    pub tool_versions: BTreeMap<String, String>,
    pub toolchain: ResultStamp,
    /// Digest of everything in the configuration that can change a score.
    pub config_digest: String,
    pub meta: Meta,
}

impl FileScore {
    /// What was to be measured and could not be.
    pub fn failed_gaps(&self) -> impl Iterator<Item = &NotMeasured> {
        self.not_measured.iter().filter(|gap| gap.failed)
    }
}

/// The scores of one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreReport {
    /// Sorted by path.
    pub files: Vec<FileScore>,
    /// Number of files.
    pub total: usize,
    /// Mean of the overall scores, 0–100; null when no file was scored.
    pub mean: Option<f64>,
    /// Files that were named or found but not judged, sorted by path.
    pub skipped: Vec<Skipped>,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub configuration: Option<ProjectConfiguration>,
    pub meta: Meta,
}

/// The verdict on one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileGate {
    pub file: String,
    pub passed: bool,
    /// True when nothing that was measured speaks against the file, and something could not be measured: it has not
    /// passed, and it is not the file's fault.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub undecided: bool,
    /// 0–100; null when the file cannot be scored.
    pub score: Option<f64>,
    /// What the overall score had to reach.
    pub threshold: f64,
    /// Blocking findings first, then unmet limits ordered by category weight, for example `security: 6.2 < 7.0 minimum`.
    pub failures: Vec<String>,
    /// Values within half a point of a limit, and limits that could not be checked.
    pub warnings: Vec<String>,
    pub blocking: Vec<Blocking>,
    /// What to do first.
    pub recommendation: String,
    /// Findings that are not in the baseline; equal to all findings when there is no baseline.
    pub new_findings: usize,
    pub result: FileScore,
}

/// The verdict on one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateReport {
    /// True when every file passed.
    pub passed: bool,
    pub preset: String,
    /// Sorted by path.
    pub files: Vec<FileGate>,
    pub total: usize,
    pub failed: usize,
    /// Files that were named or found but not judged, sorted by path.
    pub skipped: Vec<Skipped>,
    pub toolchain: ResultStamp,
    pub config_digest: String,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub configuration: Option<ProjectConfiguration>,
    pub meta: Meta,
}
