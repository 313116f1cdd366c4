//! What another toolchain makes of the same files: rule by rule, score by score.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::finding::{Category, Finding};
use tapps_quality::result::{FileScore, ScoreReport};
use tapps_quality::weights::round6;

/// A number under the one toolchain and under the other; none where nothing was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shift {
    pub before: Option<f64>,
    pub after: Option<f64>,
}

/// One rule that speaks more or less often, or costs more or less.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleShift {
    pub rule: String,
    /// How many findings there were.
    pub before: u32,
    /// How many there would be.
    pub after: u32,
    /// What the change gives back to the overall scores; negative when it costs.
    pub points: f64,
}

/// A finding that only one of the toolchains has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Differing {
    pub line: u32,
    pub rule: String,
    pub message: String,
}

/// One file that would be judged differently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileShift {
    pub file: String,
    pub overall: Shift,
    /// Only the categories that differ.
    pub categories: BTreeMap<Category, Shift>,
    /// Findings that would be new, in the order of lines.
    pub added: Vec<Differing>,
    /// Findings that would be gone, in the order of lines.
    pub removed: Vec<Differing>,
}

/// The whole of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Mean of the overall scores.
    pub mean: Shift,
    /// Rules that differ, by name.
    pub rules: Vec<RuleShift>,
    /// Files that differ, by path.
    pub files: Vec<FileShift>,
    /// How many files were scored by both and would be judged the same.
    pub unchanged: usize,
}

impl Comparison {
    /// True when adopting the other toolchain would change nothing about these files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// Compares two reports on the same files.
#[must_use]
pub fn compare_scores(before: &ScoreReport, after: &ScoreReport) -> Comparison {
    let (old, new) = (by_path(before), by_path(after));
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let shifts: Vec<FileShift> =
        paths.iter().filter_map(|path| shift_of(path, old.get(path).copied(), new.get(path).copied())).collect();
    Comparison {
        mean: Shift { before: before.mean, after: after.mean },
        rules: rules(before, after),
        unchanged: paths.len() - shifts.len(),
        files: shifts,
    }
}

fn by_path(report: &ScoreReport) -> BTreeMap<&str, &FileScore> {
    report.files.iter().map(|file| (file.file.as_str(), file)).collect()
}

/// How one file differs; none when it does not.
fn shift_of(path: &str, before: Option<&FileScore>, after: Option<&FileScore>) -> Option<FileShift> {
    let findings =
        |file: Option<&FileScore>| file.map_or_else(BTreeSet::new, |file| comparable_findings(&file.findings));
    let (old, new) = (findings(before), findings(after));
    let score = |file: Option<&FileScore>, category| {
        file.and_then(|file| file.categories.get(&category)).and_then(|category| category.score)
    };
    let categories = Category::ALL
        .into_iter()
        .map(|category| (category, Shift { before: score(before, category), after: score(after, category) }))
        .filter(|(_, shift)| shift.before != shift.after)
        .collect();
    let shift = FileShift {
        file: path.to_owned(),
        overall: Shift { before: before.and_then(|file| file.overall), after: after.and_then(|file| file.overall) },
        categories,
        added: new.difference(&old).cloned().collect(),
        removed: old.difference(&new).cloned().collect(),
    };
    let same = shift.overall.before == shift.overall.after
        && shift.categories.is_empty()
        && shift.added.is_empty()
        && shift.removed.is_empty()
        && before.is_some() == after.is_some();
    (!same).then_some(shift)
}

fn comparable_findings(findings: &[Finding]) -> BTreeSet<Differing> {
    let differing = |finding: &Finding| Differing {
        line: finding.line,
        rule: finding.rule.clone(),
        message: finding.message.clone(),
    };
    findings.iter().map(differing).collect()
}

/// The rules whose number of findings or whose price differs.
fn rules(before: &ScoreReport, after: &ScoreReport) -> Vec<RuleShift> {
    let (old, new) = (tally(before), tally(after));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let shift = |rule: &str| {
        let (was, is) = (old.get(rule).copied().unwrap_or_default(), new.get(rule).copied().unwrap_or_default());
        let points = round6(was.1 - is.1);
        (was.0 != is.0 || points != 0.0).then(|| RuleShift {
            rule: rule.to_owned(),
            before: was.0,
            after: is.0,
            points,
        })
    };
    names.into_iter().filter_map(shift).collect()
}

/// How often each rule speaks, and what it costs altogether.
fn tally(report: &ScoreReport) -> BTreeMap<&str, (u32, f64)> {
    let mut tally: BTreeMap<&str, (u32, f64)> = BTreeMap::new();
    for finding in report.files.iter().flat_map(|file| &file.findings) {
        let entry = tally.entry(finding.rule.as_str()).or_default();
        entry.0 += 1;
        entry.1 += finding.points;
    }
    tally
}
