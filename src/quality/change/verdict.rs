//! What blocks a change, and what it is called otherwise.

use std::collections::BTreeMap;

use super::account::{category_score, category_weight, points_in};
use super::copies::DUPLICATE;
use super::policy::{MemberLimits, nearest_member};
use super::report::{
    ChangeFinding, ChangePoints, ChangeVerdict, Evasion, FileChange, FileStatus, FindingState, SuppressionChange,
    SuppressionState,
};
use super::risen::{count_new_findings, risen_above_limits};
use super::side::FilePair;
use crate::blocking::is_blocking;
use crate::result::FileScore;
use tapps_base::finding::{Category, Severity};
use tapps_config::Gate;

/// Less than this is no movement: what is shown has one decimal.
const VISIBLE: f64 = 0.05;

/// What a change is measured by.
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) gate: Gate,
    /// Points that a file below the preset may lose.
    pub(super) tolerance: f64,
    /// Members of the project that ask for more.
    pub(super) members: Vec<MemberLimits>,
    /// What files that lost something had where the head parted from the default branch, by path; empty where that is
    /// the base.
    pub(super) trunk: BTreeMap<String, f64>,
}

impl Limits {
    /// What a file has to reach, and the points that it may lose where it does not.
    fn of_file(&self, file: &str) -> (&Gate, f64) {
        nearest_member(&self.members, file)
            .map_or((&self.gate, self.tolerance), |member| (&member.gate, member.tolerance))
    }
}

/// Why one file blocks the change; empty when it does not.
pub(super) fn reasons_to_block(
    change: &FileChange,
    pair: &FilePair,
    pairs: &[FilePair],
    limits: &Limits,
) -> Vec<String> {
    let (gate, _) = limits.of_file(&change.file);
    let mut reasons: Vec<String> =
        change.findings_in(FindingState::New).filter(|one| blocks_alone(one)).map(say).collect();
    reasons.extend(change.evasions.iter().filter(|one| one.blocks).map(Evasion::describe));
    let Some(head) = pair.head.as_ref().map(|head| &head.score) else { return reasons };
    reasons.extend(passed_duplication_limit(change, pair, head, gate));
    reasons.extend(risen_above_limits(change, pair, pairs, head, gate));
    if change.status == FileStatus::Added || change.before.is_none() {
        reasons.extend(missed_by_what_is_new(change, head, gate));
    } else if let (Some(before), Some(points)) = (change.before, &change.points) {
        reasons.extend(missed_by_the_change(change, before, points, limits));
        let base = pair.base.as_ref().map(|base| &base.score);
        reasons.extend(base.into_iter().flat_map(|base| lost_category_limits(change, base, head, gate)));
    }
    reasons
}

/// Where the change brings more comments that hide findings than the preset lets it, in all of it or in a member. One that
/// hides nothing of what was measured does not count.
pub(super) fn too_many_suppressions(files: &[FileChange], limits: &Limits) -> Vec<String> {
    let brought = |file: &FileChange| {
        let counts = |one: &&SuppressionChange| one.state == SuppressionState::New && !one.is_idle();
        file.suppressions.iter().filter(counts).count()
    };
    let say = |count: usize, place: &str, most: f64| {
        format!("suppressions: the change brings {count}{place}, and at most {most} may come")
    };
    brings_too_many(files, limits, |gate| gate.new_suppressions.map(f64::from), brought, say)
}

/// Where the change brings more findings than the preset lets it, in all of it or in a member.
pub(super) fn too_many_findings(files: &[FileChange], limits: &Limits) -> Vec<String> {
    let say = |count: usize, place: &str, most: f64| {
        format!("new_findings: the change brings {count}{place}, and at most {most} may come")
    };
    brings_too_many(files, limits, |gate| gate.limits.new_findings, count_new_findings, say)
}

fn brings_too_many(
    files: &[FileChange],
    limits: &Limits,
    limit: fn(&Gate) -> Option<f64>,
    brought: impl Fn(&FileChange) -> usize,
    say: impl Fn(usize, &str, f64) -> String,
) -> Vec<String> {
    let whole = limit(&limits.gate);
    let members = limits
        .members
        .iter()
        .map(|member| (member.folder.as_str(), limit(&member.gate)))
        .filter(|(_, most)| *most != whole);
    let reason = |(folder, most): (&str, Option<f64>)| {
        let most = most?;
        let is_inside = |file: &&FileChange| {
            folder.is_empty() || nearest_member(&limits.members, &file.file).is_some_and(|one| one.folder == folder)
        };
        let count: usize = files.iter().filter(is_inside).map(&brought).sum();
        let place = if folder.is_empty() { String::new() } else { format!(" to {folder}") };
        (f64::from(u32::try_from(count).unwrap_or(u32::MAX)) > most).then(|| say(count, &place, most))
    };
    std::iter::once(("", whole)).chain(members).filter_map(reason).collect()
}

/// A finding that blocks wherever it is new.
fn blocks_alone(one: &ChangeFinding) -> bool {
    let finding = &one.finding;
    is_blocking(finding) || finding.category == Category::Security && finding.severity >= Severity::Medium
}

fn say(one: &ChangeFinding) -> String {
    format!("{} at line {}: {}", one.finding.rule, one.finding.line, one.finding.message)
}

/// Copies that the change has written, in a file of which more than the limit stands elsewhere too.
fn passed_duplication_limit(change: &FileChange, pair: &FilePair, head: &FileScore, gate: &Gate) -> Option<String> {
    let (most, percent) = gate.duplication.zip(head.duplication).filter(|(most, percent)| percent > most)?;
    let before = pair.base.as_ref().and_then(|base| base.score.duplication);
    let has_new = change.findings_in(FindingState::New).any(|one| one.finding.rule == DUPLICATE);
    let rises = before.is_none_or(|before| percent > before);
    (has_new && rises).then(|| format!("duplication: {percent:.1}% > {most:.1}% maximum"))
}

/// An added file is judged by what is new in it alone: code that moved there brings its findings along.
fn missed_by_what_is_new(change: &FileChange, head: &FileScore, gate: &Gate) -> Vec<String> {
    if change.after.is_none() {
        return Vec::new();
    }
    let new = |one: &&ChangeFinding| one.state == FindingState::New;
    let overall = 100.0 - change.findings.iter().filter(new).map(|one| one.finding.points).sum::<f64>();
    let mut reasons = Vec::new();
    if overall < gate.overall {
        reasons.push(format!("overall: what is new in it leaves {overall:.1} < {:.1} minimum", gate.overall));
    }
    for (category, minimum) in category_limits(gate) {
        let Some(weight) = category_weight(head, category).filter(|weight| *weight > 0.0) else { continue };
        let left = 10.0 - in_category(points_in(&change.findings, category).new, weight);
        if left < minimum {
            reasons.push(format!("{}: what is new in it leaves {left:.1} < {minimum:.1} minimum", category.as_str()));
        }
    }
    reasons
}

/// A changed file that the change alone takes below the preset, or, where it was below, further down.
fn missed_by_the_change(change: &FileChange, before: f64, points: &ChangePoints, limits: &Limits) -> Option<String> {
    let after = change.after?;
    let (gate, tolerance) = limits.of_file(&change.file);
    let (lost, minimum) = (points.lost(), gate.overall);
    if before >= minimum {
        let falls = after < minimum && before - lost < minimum;
        return falls.then(|| format!("overall: {before:.1} became {after:.1} < {minimum:.1} minimum"));
    }
    if after >= before || lost <= VISIBLE {
        return None;
    }
    if lost > tolerance {
        return Some(format!(
            "overall: {lost:.1} points lost where {before:.1} were below the minimum of {minimum:.1} already"
        ));
    }
    // Many small losses are one large one.
    let path = change.old_file.as_ref().unwrap_or(&change.file);
    let trunk = limits.trunk.get(path).filter(|trunk| **trunk - after > tolerance)?;
    Some(format!(
        "overall: {:.1} points lost since the default branch, which has {trunk:.1}; below the minimum of {minimum:.1}",
        trunk - after
    ))
}

fn lost_category_limits(change: &FileChange, base: &FileScore, head: &FileScore, gate: &Gate) -> Vec<String> {
    let reason = |(category, minimum): (Category, f64)| {
        let (before, after) = (category_score(base, category)?, category_score(head, category)?);
        let weight = category_weight(head, category).filter(|weight| *weight > 0.0)?;
        let lost = in_category(points_in(&change.findings, category).lost(), weight);
        let falls = before >= minimum && after < minimum && before - lost < minimum;
        falls.then(|| format!("{}: {before:.1} became {after:.1} < {minimum:.1} minimum", category.as_str()))
    };
    category_limits(gate).filter_map(reason).collect()
}

fn category_limits(gate: &Gate) -> impl Iterator<Item = (Category, f64)> {
    let maintainability = gate.maintainability.map(|minimum| (Category::Maintainability, minimum));
    std::iter::once((Category::Security, gate.security)).chain(maintainability)
}

/// Points of the overall score as points of a category, of which there are ten.
fn in_category(points: f64, weight: f64) -> f64 {
    points / (weight * 10.0)
}

/// The word for a change that nothing blocks.
pub(super) fn name_movement(points: &ChangePoints) -> ChangeVerdict {
    let lost = points.lost();
    if lost > VISIBLE {
        ChangeVerdict::Worse
    } else if lost < -VISIBLE {
        ChangeVerdict::Improved
    } else {
        ChangeVerdict::Neutral
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movements_that_nobody_sees_are_none() {
        for (new, mended, word) in [
            (0.0, 0.0, ChangeVerdict::Neutral),
            (0.05, 0.0, ChangeVerdict::Neutral),
            (0.06, 0.0, ChangeVerdict::Worse),
            (1.0, 1.1, ChangeVerdict::Improved),
        ] {
            assert_eq!(name_movement(&ChangePoints { new, mended, ..ChangePoints::default() }), word, "{new} {mended}");
        }
    }
}
