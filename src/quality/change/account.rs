//! What the change did to one file: its findings by state, and the points that they explain.

use std::cmp::Ordering;

use super::matching::{Matches, Origin};
use super::pairing::Pairing;
use super::report::{ChangeFinding, ChangePoints, FileChange, FindingState, RisenFunction};
use super::side::{FilePair, FileSide};
use crate::result::FileScore;
use crate::weights::round6;
use tapps_base::finding::{Category, Finding, Tool};

/// Draws up the account of the file at position `at` of the change, without the score of its head.
pub(super) fn account_for_file(
    at: usize,
    pairs: &[FilePair],
    pairing: &Pairing,
    matches: &Matches,
) -> Option<FileChange> {
    let pair = pairs.get(at)?;
    let comparable = is_coverage_comparable(pair);
    let before_of = |(file, at): (usize, usize)| pairs.get(file)?.base.as_ref()?.score.findings.get(at);
    let mut points = ChangePoints::default();
    let mut findings = Vec::new();
    for (number, finding) in findings_of(pair.head.as_ref()) {
        let counts = comparable || finding.category != Category::TestCoverage;
        let entry = match matches.origin_of((at, number)) {
            None => entry(FindingState::New, finding, None),
            Some(Origin::Condition) => {
                ChangeFinding { points_before: finding.points, ..entry(FindingState::Existing, finding, None) }
            }
            Some(Origin::Finding(id)) => {
                let before = before_of(id);
                let rose =
                    before.and_then(|before| before.measure).zip(finding.measure).is_some_and(|(was, is)| is > was);
                let mut entry =
                    entry(if rose { FindingState::Worsened } else { FindingState::Existing }, finding, before);
                if pair.same_tree {
                    (entry.state, entry.measured_before) = (FindingState::Existing, None);
                }
                entry
            }
        };
        if counts {
            points.count(&entry);
        }
        findings.push(entry);
    }
    for (number, finding) in findings_of(pair.base.as_ref()) {
        // Of a program that is only written differently nothing was mended, but for what is in its comments.
        let rewritten = pair.same_tree && finding.tool != Tool::Secrets;
        if pair.head.is_some() && !matches.is_kept((at, number)) && !rewritten {
            let entry = ChangeFinding { points_before: finding.points, ..entry(FindingState::Mended, finding, None) };
            if comparable || finding.category != Category::TestCoverage {
                points.count(&entry);
            }
            findings.push(entry);
        }
    }
    // A file that cannot be read mends nothing.
    let scored = |side: &Option<FileSide>| side.as_ref().and_then(|side| side.score.overall);
    let (before, after) = (scored(&pair.base), scored(&pair.head));
    if pair.head.is_some() && after.is_none() && before.is_some() {
        findings.retain(|one| one.state != FindingState::Mended);
    }
    let points = before
        .zip(after)
        .map(|_| points.settled(sum_of(pair.base.as_ref(), comparable) - sum_of(pair.head.as_ref(), comparable)));
    findings.sort_by(in_order);
    let head = pair.head.as_ref().map(|head| &head.score);
    Some(FileChange {
        file: pair.path.clone(),
        old_file: pair.old_path.clone().or_else(|| pair.copied_from.clone()),
        status: pair.status,
        because: pair.because.clone(),
        before,
        after,
        points,
        passed: true,
        blocked: Vec::new(),
        findings,
        risen: risen_functions(at, pairs, pairing),
        suppressions: Vec::new(),
        evasions: Vec::new(),
        coverage: None,
        not_measured: head.map(|head| head.failed_gaps().cloned().collect()).unwrap_or_default(),
        missing_tools: head.map(|head| head.missing_tools.clone()).unwrap_or_default(),
        filtered: pair.filtered,
        sha256: head.map(|head| head.sha256.clone()),
        added_lines: Vec::new(),
        score: None,
    })
}

impl ChangePoints {
    fn count(&mut self, one: &ChangeFinding) {
        let (before, after) = (one.points_before, one.finding.points);
        match one.state {
            FindingState::New => self.new += after,
            FindingState::Mended => self.mended += before,
            FindingState::Worsened => self.worsened += (after - before).max(0.0),
            // What measures less than before is mended in part.
            FindingState::Existing
                if one.measured_before.zip(one.finding.measure).is_some_and(|(was, is)| is < was) =>
            {
                self.mended += (before - after).max(0.0);
            }
            FindingState::Existing => {}
        }
    }

    /// Rounded, with the rest of the whole difference as repriced.
    fn settled(self, delta: f64) -> Self {
        let (new, worsened, mended, delta) =
            (round6(self.new), round6(self.worsened), round6(self.mended), round6(delta));
        Self { new, worsened, mended, repriced: round6(delta - mended + new + worsened), delta }
    }

    /// What the change itself lost: repriced points are not its doing.
    pub(super) fn lost(&self) -> f64 {
        round6(self.new + self.worsened - self.mended)
    }

    /// Of a file that nobody touched only what the change brought there, or took from there, counts.
    pub(super) fn keep_moved(&mut self, new: f64, mended: f64) {
        *self = Self { new: round6(new), mended: round6(mended), delta: round6(mended - new), ..Self::default() };
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (sum, part) in [
            (&mut self.new, other.new),
            (&mut self.worsened, other.worsened),
            (&mut self.mended, other.mended),
            (&mut self.repriced, other.repriced),
            (&mut self.delta, other.delta),
        ] {
            *sum = round6(*sum + part);
        }
    }
}

fn findings_of(side: Option<&FileSide>) -> impl Iterator<Item = (usize, &Finding)> {
    side.into_iter().flat_map(|side| side.score.findings.iter().enumerate())
}

fn entry(state: FindingState, finding: &Finding, before: Option<&Finding>) -> ChangeFinding {
    let measured_before =
        before.and_then(|before| before.measure).filter(|was| finding.measure.is_some_and(|is| is != *was));
    ChangeFinding {
        state,
        measured_before,
        points_before: before.map_or(0.0, |before| before.points),
        finding: finding.clone(),
    }
}

fn sum_of(side: Option<&FileSide>, with_coverage: bool) -> f64 {
    findings_of(side)
        .filter(|(_, finding)| with_coverage || finding.category != Category::TestCoverage)
        .map(|(_, finding)| finding.points)
        .sum()
}

/// Coverage is compared only where both sides know it in the same way: from data, or from what the tests reach.
fn is_coverage_comparable(pair: &FilePair) -> bool {
    let of_data = |side: &Option<FileSide>| {
        side.as_ref().map(|side| side.score.coverage.as_ref().map(|coverage| coverage.percent.is_some()))
    };
    match (of_data(&pair.base), of_data(&pair.head)) {
        (Some(base), Some(head)) => base == head,
        _ => true,
    }
}

/// New and worsened ones by points, existing ones and mended ones by place.
fn in_order(a: &ChangeFinding, b: &ChangeFinding) -> Ordering {
    let group = |one: &ChangeFinding| match one.state {
        FindingState::New | FindingState::Worsened => 0,
        FindingState::Existing => 1,
        FindingState::Mended => 2,
    };
    let gained = |one: &ChangeFinding| if group(one) == 0 { one.points_before - one.finding.points } else { 0.0 };
    group(a).cmp(&group(b)).then_with(|| gained(a).total_cmp(&gained(b))).then_with(|| a.finding.order(&b.finding))
}

fn risen_functions(at: usize, pairs: &[FilePair], pairing: &Pairing) -> Vec<RisenFunction> {
    let Some(head) = pairs.get(at).and_then(|pair| pair.head.as_ref()) else { return Vec::new() };
    let before_of = |number: usize| {
        let (file, before) = pairing.base_of((at, number))?;
        pairs.get(file)?.base.as_ref()?.definitions.get(before)?.complexity
    };
    let risen = head.definitions.iter().enumerate().filter_map(|(number, one)| {
        let (before, after) = (before_of(number)?, one.complexity?);
        (after > before).then(|| RisenFunction { name: one.path.clone(), line: one.line, before, after })
    });
    risen.collect()
}

/// The points of a category that the findings of one state cost.
pub(super) fn points_in(findings: &[ChangeFinding], category: Category) -> ChangePoints {
    let mut points = ChangePoints::default();
    findings.iter().filter(|one| one.finding.category == category).for_each(|one| points.count(one));
    points
}

/// The score of a category, 0–10.
pub(super) fn category_score(score: &FileScore, category: Category) -> Option<f64> {
    score.categories.get(&category)?.score
}

/// The share of a category in the overall score.
pub(super) fn category_weight(score: &FileScore, category: Category) -> Option<f64> {
    score.categories.get(&category).map(|category| category.weight)
}
