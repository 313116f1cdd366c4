//! What a report says, before it has a format: totals first, then file by file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::history::TrendPoint;
use tapps_base::finding::{Category, Finding, Severity};
use tapps_base::language::ScoredLanguage;
use tapps_quality::change::report::{ChangeReport, FileChange, FindingState};
use tapps_quality::result::Suppression;
use tapps_quality::result::{
    CategoryScore, FileGate, FileScore, GateReport, NotMeasured, ProjectConfiguration, ResultStamp, ScoreReport,
    Skipped, Suggestion,
};
use tapps_quality::weights::round6;

/// Most rules that the summary names.
const TOP_RULES: usize = 10;

/// A report on some files. It holds no clock value, so the same verdict always gives the same report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityReport {
    /// Whether every file passed; none when the files were scored and not judged.
    pub passed: Option<bool>,
    /// The preset they were judged by.
    pub preset: Option<String>,
    pub summary: ReportSummary,
    /// Sorted by path.
    pub files: Vec<FileReport>,
    /// Files that were named or found but not looked at.
    pub skipped: Vec<Skipped>,
    /// Earlier verdicts, oldest first.
    pub trend: Vec<TrendPoint>,
    pub toolchain: ResultStamp,
    pub tool_versions: BTreeMap<String, String>,
    pub config_digest: String,
    /// There when the project's own rules are followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub configuration: Option<ProjectConfiguration>,
    /// There when a change was judged: the files are those that it touches or reaches.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<ChangeReport>,
}

/// The whole in numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportSummary {
    pub files: usize,
    /// Files that fail the gate, or that are blocked when there was none.
    pub failed: usize,
    /// Mean of the overall scores, 0–100.
    pub mean: Option<f64>,
    pub findings: usize,
    pub severities: BTreeMap<Severity, usize>,
    pub categories: Vec<CategorySummary>,
    /// The rules that cost most, at most ten.
    pub rules: Vec<RuleSummary>,
}

/// One category over all files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CategorySummary {
    pub category: Category,
    /// Mean over the files in which it was measured, 0–10.
    pub mean: Option<f64>,
    /// How many files it was measured in.
    pub measured: usize,
    /// The file with the lowest score, the first by path among equals.
    pub lowest: Option<String>,
}

/// One rule over all files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleSummary {
    pub rule: String,
    pub count: usize,
    /// Points of the overall scores that it costs altogether.
    pub points: f64,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileReport {
    pub file: String,
    pub sha256: String,
    /// None for text in which only secrets are looked for.
    pub language: Option<ScoredLanguage>,
    pub passed: Option<bool>,
    /// 0–100; null when the file cannot be scored.
    pub score: Option<f64>,
    /// What the score had to reach.
    pub threshold: Option<f64>,
    /// Why it does not pass, most important first.
    pub failures: Vec<String>,
    pub warnings: Vec<String>,
    pub categories: BTreeMap<Category, CategoryScore>,
    pub suggestions: Vec<Suggestion>,
    pub findings: Vec<Finding>,
    pub not_measured: Vec<NotMeasured>,
    /// Comments that hide findings, in the order of the text.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub suppressions: Vec<Suppression>,
}

impl QualityReport {
    /// The report on a verdict.
    #[must_use]
    pub fn of_gate(report: &GateReport) -> Self {
        let files = report.files.iter().map(FileReport::of_gate).collect();
        let versions = report.files.first().map(|file| file.result.tool_versions.clone());
        Self::assemble(
            ReportHead { passed: Some(report.passed), preset: Some(report.preset.clone()) },
            files,
            Tail {
                skipped: report.skipped.clone(),
                toolchain: report.toolchain.clone(),
                tool_versions: versions.unwrap_or_default(),
                config_digest: report.config_digest.clone(),
                configuration: report.configuration.clone(),
            },
        )
    }

    /// The report on scores that nobody judged.
    #[must_use]
    pub fn of_score(report: &ScoreReport) -> Self {
        let files = report.files.iter().map(FileReport::of_score).collect();
        let first = report.files.first();
        let none = || ResultStamp { fingerprint: String::new(), verified: false, interpreter: None, types: None };
        Self::assemble(
            ReportHead { passed: None, preset: None },
            files,
            Tail {
                skipped: report.skipped.clone(),
                toolchain: ResultStamp::of_scores(&report.files).unwrap_or_else(none),
                tool_versions: first.map(|file| file.tool_versions.clone()).unwrap_or_default(),
                config_digest: first.map(|file| file.config_digest.clone()).unwrap_or_default(),
                configuration: report.configuration.clone(),
            },
        )
    }

    /// The report on a change: its files as they are now.
    #[must_use]
    pub fn of_change(report: &ChangeReport) -> Self {
        let files: Vec<FileReport> = report.files.iter().filter_map(FileReport::of_change).collect();
        let scores = || report.files.iter().filter_map(|file| file.score.as_ref());
        let mut whole = Self::assemble(
            ReportHead { passed: Some(report.passed), preset: Some(report.preset.clone()) },
            files,
            Tail {
                skipped: report.skipped.clone(),
                toolchain: report.toolchain.clone(),
                tool_versions: scores().next().map(|score| score.tool_versions.clone()).unwrap_or_default(),
                config_digest: report.config_digest.clone(),
                configuration: report.configuration.clone(),
            },
        );
        whole.change = Some(report.clone());
        whole
    }

    /// The findings to point at beside the code: of a change those that it brought, on the lines that it touched.
    pub(crate) fn is_annotated(&self, finding: &Finding) -> bool {
        let Some(change) = &self.change else { return true };
        let Some(file) = change.files.iter().find(|file| file.file == finding.file) else { return false };
        let touched = file.added_lines.iter().any(|lines| lines.contains(&finding.line));
        let state = self.state_of(finding);
        touched && matches!(state, Some(FindingState::New | FindingState::Worsened))
    }

    /// What a change has to do with a finding; none when no change was judged.
    pub(crate) fn state_of(&self, finding: &Finding) -> Option<FindingState> {
        let file = self.change.as_ref()?.files.iter().find(|file| file.file == finding.file)?;
        file.findings.iter().find(|one| one.finding == *finding).map(|one| one.state)
    }

    /// The report with earlier verdicts beside it.
    #[must_use]
    pub fn with_trend(mut self, trend: Vec<TrendPoint>) -> Self {
        self.trend = trend;
        self
    }

    /// All findings, file by file.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.files.iter().flat_map(|file| &file.findings)
    }

    fn assemble(head: ReportHead, files: Vec<FileReport>, tail: Tail) -> Self {
        Self {
            passed: head.passed,
            preset: head.preset,
            summary: ReportSummary::from_files(&files),
            files,
            skipped: tail.skipped,
            trend: Vec::new(),
            toolchain: tail.toolchain,
            tool_versions: tail.tool_versions,
            config_digest: tail.config_digest,
            configuration: tail.configuration,
            change: None,
        }
    }
}

struct ReportHead {
    passed: Option<bool>,
    preset: Option<String>,
}

struct Tail {
    skipped: Vec<Skipped>,
    toolchain: ResultStamp,
    tool_versions: BTreeMap<String, String>,
    config_digest: String,
    configuration: Option<ProjectConfiguration>,
}

impl FileReport {
    fn of_gate(gate: &FileGate) -> Self {
        Self {
            passed: Some(gate.passed),
            threshold: Some(gate.threshold),
            failures: gate.failures.clone(),
            warnings: gate.warnings.clone(),
            ..Self::of_score(&gate.result)
        }
    }

    /// None of a file that is gone.
    fn of_change(change: &FileChange) -> Option<Self> {
        let score = change.score.as_ref()?;
        let gaps =
            change.not_measured.iter().map(|gap| format!("{}: not measured: {}", gap.category.as_str(), gap.reason));
        let failures = change.blocked.iter().cloned().chain(gaps).collect();
        Some(Self { passed: Some(change.passed), failures, ..Self::of_score(score) })
    }

    fn of_score(score: &FileScore) -> Self {
        let failures = score.blocking.iter().map(|b| format!("{} at line {}: {}", b.rule, b.line, b.message));
        Self {
            file: score.file.clone(),
            sha256: score.sha256.clone(),
            language: score.language,
            passed: None,
            score: score.overall,
            threshold: None,
            failures: failures.collect(),
            warnings: Vec::new(),
            categories: score.categories.clone(),
            suggestions: score.suggestions.clone(),
            findings: score.findings.clone(),
            not_measured: score.not_measured.clone(),
            suppressions: score.suppressions.clone(),
        }
    }

    /// Whether the file is to be shown as failed: by the gate, or because something blocks every gate.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.passed.map_or(!self.failures.is_empty(), |passed| !passed)
    }
}

impl ReportSummary {
    fn from_files(files: &[FileReport]) -> Self {
        let mut severities: BTreeMap<Severity, usize> = BTreeMap::new();
        let mut rules: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
        for finding in files.iter().flat_map(|file| &file.findings) {
            *severities.entry(finding.severity).or_default() += 1;
            let rule = rules.entry(&finding.rule).or_default();
            rule.0 += 1;
            rule.1 += finding.points;
        }
        let mut rules: Vec<RuleSummary> = rules
            .into_iter()
            .map(|(rule, (count, points))| RuleSummary { rule: rule.to_owned(), count, points: round6(points) })
            .collect();
        rules.sort_by(|a, b| b.points.total_cmp(&a.points).then_with(|| a.rule.cmp(&b.rule)));
        rules.truncate(TOP_RULES);
        Self {
            files: files.len(),
            failed: files.iter().filter(|file| file.failed()).count(),
            mean: mean(files.iter().filter_map(|file| file.score)),
            findings: files.iter().map(|file| file.findings.len()).sum(),
            severities,
            categories: Category::ALL
                .into_iter()
                .map(|category| CategorySummary::from_files(category, files))
                .collect(),
            rules,
        }
    }
}

impl CategorySummary {
    fn from_files(category: Category, files: &[FileReport]) -> Self {
        let measured: Vec<(f64, &str)> = files
            .iter()
            .filter_map(|file| Some((file.categories.get(&category)?.score?, file.file.as_str())))
            .collect();
        let lowest = measured.iter().min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
        Self {
            category,
            mean: mean(measured.iter().map(|(score, _)| *score)),
            measured: measured.len(),
            lowest: lowest.map(|(_, file)| (*file).to_owned()),
        }
    }
}

/// The mean of some numbers; none of none.
pub(super) fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0_u32), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| round6(sum / f64::from(count)))
}
