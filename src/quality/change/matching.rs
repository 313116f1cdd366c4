//! Which finding of the head is which of the base.
//!
//! Tier by tier, from what is certain to what is likely; each finding is matched once, and of equals the first with the
//! first. What no tier matches is new in the head, and mended in the base.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::align::Alignment;
use super::copies::stood_before;
use super::likeness::best_first;
use super::pairing::{DefinitionId, Pairing};
use super::side::{FilePair, FileSide};
use crate::blocking::is_blocking;
use rayon::prelude::*;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use tapps_base::finding::{Category, Finding, Severity, Tool};

/// A finding by the position of its file in the change and its own in the list of its side.
pub(super) type FindingId = (usize, usize);

/// What a finding of the head was in the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// That finding.
    Finding(FindingId),
    /// Nothing that can be pointed at, and yet it was there: what it says was true before.
    Condition,
}

/// The findings that were there before, by their place in the head.
#[derive(Debug, Default)]
pub(super) struct Matches {
    origins: BTreeMap<FindingId, Origin>,
    kept: BTreeSet<FindingId>,
}

impl Matches {
    pub(super) fn origin_of(&self, head: FindingId) -> Option<Origin> {
        self.origins.get(&head).copied()
    }

    /// True when a finding of the base is still there.
    pub(super) fn is_kept(&self, base: FindingId) -> bool {
        self.kept.contains(&base)
    }
}

/// A finding with what tiers ask of it.
struct Candidate<'a> {
    id: FindingId,
    finding: &'a Finding,
    /// In terms of the head; none outside of every definition, and inside of one that is gone.
    definition: Option<DefinitionId>,
    /// True when it stands in the head of the definition: the lines above its body.
    in_head: bool,
    /// True when the definition is the same on both sides but for its name.
    same_body: bool,
    /// True when it is in a definition that only one side has.
    alone: bool,
    /// The line in terms of the head; none when that line was changed.
    line: Option<u32>,
    text: &'a str,
    shape: String,
}

/// Lines are much the same from this share of common characters on.
pub(super) const ALIKE: f64 = 0.6;
/// So many findings of one rule in one definition are compared with each; more are not told apart by their lines.
const MOST_ALIKE: usize = 50;

/// Matches the findings of all files of a change.
pub(super) fn match_findings(pairs: &[FilePair], pairing: &Pairing) -> Matches {
    let alignments: Vec<Option<Alignment>> = pairs.par_iter().map(alignment_of).collect();
    let base: Vec<Candidate<'_>> = candidates(
        pairs,
        |pair| pair.base.as_ref(),
        |file, side, at| of_base(file, side, at, pairs, pairing, alignments.get(file).and_then(Option::as_ref)),
    );
    let head: Vec<Candidate<'_>> =
        candidates(pairs, |pair| pair.head.as_ref(), |file, side, at| of_head(file, side, at, pairs, pairing));
    let mut matches = Matches::default();
    for tier in TIERS {
        matches.pair_by(&base, &head, pairs, *tier);
    }
    matches.pair_alike(&base, &head);
    matches.find_conditions(pairs, pairing, &base, &head);
    matches
}

/// What has to be equal for a tier to match two findings; none for what it does not speak of.
type TierKey = (Option<usize>, Option<DefinitionId>, String, String);
type Tier = fn(&Candidate<'_>, &[FilePair]) -> Option<TierKey>;

const TIERS: &[Tier] = &[
    // The same thing said of the same line.
    |one, _| Some((Some(one.id.0), None, format!("{}\n{}", one.finding.fingerprint, one.line?), String::new())),
    // The same thing said inside of the same definition, wherever that is now.
    |one, _| match one.definition {
        Some(definition) => Some((None, Some(definition), one.finding.fingerprint.clone(), String::new())),
        None if one.alone => None,
        None => Some((Some(one.id.0), None, one.finding.fingerprint.clone(), String::new())),
    },
    // A definition that is the same token by token has the same findings, in the same order.
    |one, _| {
        let definition = one.definition.filter(|_| one.same_body)?;
        Some((None, Some(definition), one.finding.rule.clone(), String::new()))
    },
    // The same thing said somewhere else in the file.
    |one, _| (one.finding.line > 0).then(|| (Some(one.id.0), None, one.finding.fingerprint.clone(), String::new())),
    // Code that moved between files of the change.
    |one, pairs| {
        let moves = one.finding.line > 0 && pairs.get(one.id.0).is_some_and(|pair| pair.because.is_none());
        moves.then(|| (None, None, one.finding.fingerprint.clone(), String::new()))
    },
    // Another thing said by the same rule of a line that nobody touched.
    |one, _| Some((Some(one.id.0), None, format!("{}\n{}", one.finding.rule, one.line?), String::new())),
    // What a rule says of a definition as a whole.
    |one, _| {
        let definition = one.definition.filter(|_| one.in_head)?;
        Some((None, Some(definition), one.finding.rule.clone(), String::new()))
    },
    // A line in which only names were exchanged.
    |one, _| {
        let finding = one.finding;
        if one.alone || is_blocking(finding) || finding.tool == Tool::Secrets || finding.line == 0 {
            return None;
        }
        let file = one.definition.is_none().then_some(one.id.0);
        Some((file, one.definition, one.finding.rule.clone(), one.shape.clone()))
    },
    // What a rule says of a file as a whole.
    |one, _| (one.finding.line == 0).then(|| (Some(one.id.0), None, one.finding.rule.clone(), String::new())),
    // Files with one syntax tree have the same findings, but for what is in their comments.
    |one, pairs| {
        let same = one.finding.tool != Tool::Secrets && pairs.get(one.id.0).is_some_and(|pair| pair.same_tree);
        same.then(|| (Some(one.id.0), None, one.finding.rule.clone(), String::new()))
    },
];

impl Matches {
    fn pair_by(&mut self, base: &[Candidate<'_>], head: &[Candidate<'_>], pairs: &[FilePair], key: Tier) {
        let mut open: HashMap<TierKey, VecDeque<FindingId>> = HashMap::new();
        for one in base.iter().filter(|one| !self.kept.contains(&one.id)) {
            if let Some(key) = key(one, pairs) {
                open.entry(key).or_default().push_back(one.id);
            }
        }
        if open.is_empty() {
            return;
        }
        for one in head {
            if self.origins.contains_key(&one.id) {
                continue;
            }
            let found = key(one, pairs).and_then(|key| open.get_mut(&key)?.pop_front());
            if let Some(found) = found {
                self.origins.insert(one.id, Origin::Finding(found));
                self.kept.insert(found);
            }
        }
    }

    /// The same rule in the same definition, on lines that are much the same: the likest first.
    fn pair_alike(&mut self, base: &[Candidate<'_>], head: &[Candidate<'_>]) {
        let place = |one: &Candidate<'_>| -> Option<(Option<usize>, Option<DefinitionId>, String)> {
            let file = one.definition.is_none().then_some(one.id.0);
            (!one.alone && may_be_alike(one.finding)).then(|| (file, one.definition, one.finding.rule.clone()))
        };
        let mut open: HashMap<_, Vec<&Candidate<'_>>> = HashMap::new();
        for one in base.iter().filter(|one| !self.kept.contains(&one.id)) {
            if let Some(place) = place(one) {
                open.entry(place).or_default().push(one);
            }
        }
        let mut alike: Vec<(f64, FindingId, FindingId)> = Vec::new();
        for one in head.iter().filter(|one| !self.origins.contains_key(&one.id)) {
            let near = place(one).and_then(|place| open.get(&place));
            for before in near.into_iter().flatten().take(MOST_ALIKE) {
                let likeness = likeness_of_lines(before.text, one.text);
                if likeness >= ALIKE {
                    alike.push((likeness, before.id, one.id));
                }
            }
        }
        for (before, now) in best_first(alike) {
            if !self.kept.contains(&before) && !self.origins.contains_key(&now) {
                self.origins.insert(now, Origin::Finding(before));
                self.kept.insert(before);
            }
        }
    }

    /// Findings that have no one counterpart, and whose reason was there all the same.
    fn find_conditions(
        &mut self,
        pairs: &[FilePair],
        pairing: &Pairing,
        base: &[Candidate<'_>],
        head: &[Candidate<'_>],
    ) {
        let known: BTreeSet<&str> = base.iter().map(|one| one.finding.fingerprint.as_str()).collect();
        for one in head {
            if self.origins.contains_key(&one.id) {
                continue;
            }
            let Some(pair) = pairs.get(one.id.0) else { continue };
            let written_before = stood_before(one.id.0, one.finding, pairs);
            let standing = pair.standing.iter().any(|before| before.rule == one.finding.rule && one.finding.line == 0);
            let same_tree = one.finding.tool != Tool::Secrets && pair.same_tree;
            let source = if pair.base.is_none() { split_source(one.id.0, pairs, pairing) } else { None };
            let copied = source.is_some_and(|source| {
                let of_file = |before: &&Finding| before.line == 0 && before.rule == one.finding.rule;
                let of_whole_file = one.finding.line == 0 && source.score.findings.iter().any(|f| of_file(&f));
                of_whole_file || is_import(pair, one.finding.line) && known.contains(one.finding.fingerprint.as_str())
            });
            if standing || same_tree || copied || written_before {
                self.origins.insert(one.id, Origin::Condition);
            }
        }
    }
}

/// The file out of which at least half of the definitions of an added file were taken, by lines.
fn split_source<'p>(file: usize, pairs: &'p [FilePair], pairing: &Pairing) -> Option<&'p FileSide> {
    let head = pairs.get(file)?.head.as_ref()?;
    let mut moved: BTreeMap<usize, u32> = BTreeMap::new();
    let mut all = 0;
    for (at, one) in head.definitions.iter().enumerate().filter(|(_, one)| one.parent.is_none()) {
        let lines = one.last - one.first + 1;
        all += lines;
        if let Some((from, _)) = pairing.base_of((file, at)) {
            *moved.entry(from).or_default() += lines;
        }
    }
    let (from, lines) = moved.into_iter().max_by_key(|(from, lines)| (*lines, std::cmp::Reverse(*from)))?;
    if lines * 2 >= all { pairs.get(from)?.base.as_ref() } else { None }
}

fn is_import(pair: &FilePair, line: u32) -> bool {
    let text = pair.head.as_ref().map_or("", |head| head.line(line));
    ["import ", "from ", "export "].iter().any(|word| text.trim_start().starts_with(word)) || text.contains("require(")
}

fn alignment_of(pair: &FilePair) -> Option<Alignment> {
    Some(Alignment::of_lines(&pair.base.as_ref()?.lines, &pair.head.as_ref()?.lines))
}

fn candidates<'p>(
    pairs: &'p [FilePair],
    side: impl Fn(&'p FilePair) -> Option<&'p FileSide>,
    candidate: impl Fn(usize, &'p FileSide, usize) -> Candidate<'p>,
) -> Vec<Candidate<'p>> {
    let mut all = Vec::new();
    for (file, pair) in pairs.iter().enumerate() {
        if let Some(side) = side(pair) {
            all.extend((0..side.score.findings.len()).map(|at| candidate(file, side, at)));
        }
    }
    all
}

fn of_base<'p>(
    file: usize,
    side: &'p FileSide,
    at: usize,
    pairs: &[FilePair],
    pairing: &Pairing,
    alignment: Option<&Alignment>,
) -> Candidate<'p> {
    let finding = &side.score.findings[at];
    let own = side.definition_at(finding.line);
    let there = own.and_then(|own| pairing.head_of((file, own)));
    let body = own.map(|own| side.definitions[own].body);
    Candidate {
        id: (file, at),
        finding,
        definition: there,
        in_head: own.is_some_and(|own| finding.line <= side.definitions[own].line),
        same_body: there.is_some_and(|there| body == body_of(pairs, there, |pair| pair.head.as_ref())),
        alone: own.is_some() && there.is_none(),
        line: alignment.and_then(|alignment| alignment.head_line(finding.line)),
        text: side.line(finding.line),
        shape: shape_of_line(side, finding.line),
    }
}

fn of_head<'p>(file: usize, side: &'p FileSide, at: usize, pairs: &[FilePair], pairing: &Pairing) -> Candidate<'p> {
    let finding = &side.score.findings[at];
    let own = side.definition_at(finding.line);
    let before = own.and_then(|own| pairing.base_of((file, own)));
    let body = own.map(|own| side.definitions[own].body);
    Candidate {
        id: (file, at),
        finding,
        definition: before.and(own).map(|own| (file, own)),
        in_head: own.is_some_and(|own| finding.line <= side.definitions[own].line),
        same_body: before.is_some_and(|before| body == body_of(pairs, before, |pair| pair.base.as_ref())),
        alone: own.is_some() && before.is_none(),
        line: (finding.line > 0).then_some(finding.line),
        text: side.line(finding.line),
        shape: shape_of_line(side, finding.line),
    }
}

fn body_of(pairs: &[FilePair], (file, at): DefinitionId, side: impl Fn(&FilePair) -> Option<&FileSide>) -> Option<u64> {
    Some(side(pairs.get(file)?)?.definitions.get(at)?.body)
}

/// What blocks by itself is never taken for something else that blocked before.
fn may_be_alike(finding: &Finding) -> bool {
    let weighs = finding.category == Category::Security && finding.severity >= Severity::Medium;
    finding.line > 0 && finding.tool != Tool::Secrets && !is_blocking(finding) && !weighs
}

/// The share of characters that two lines have in common, in order.
pub(super) fn likeness_of_lines(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.trim().chars().take(LINE).collect(), b.trim().chars().take(LINE).collect());
    let all = a.len() + b.len();
    let operations = capture_diff_slices(Algorithm::Myers, &a, &b);
    let same: usize = operations.iter().map(|one| if let DiffOp::Equal { len, .. } = one { *len } else { 0 }).sum();
    if all == 0 { 0.0 } else { 2.0 * same as f64 / all as f64 }
}

/// Characters of a line that are compared.
const LINE: usize = 300;

/// The text of a line with one sign in the place of each name and number.
fn shape_of_line(side: &FileSide, line: u32) -> String {
    let mut shape = String::new();
    for word in side.line(line).split_whitespace() {
        shape.push(' ');
        let mut in_name = false;
        for letter in word.chars() {
            let is_name = letter == '_' || letter.is_alphanumeric();
            if !is_name || !in_name {
                shape.push(if is_name { '\u{1}' } else { letter });
            }
            in_name = is_name;
        }
    }
    shape
}
