//! Matching the elements of a saved index with those of the code.
//!
//! First by file, kind and name; what is left over by the hash of the body, and then by the likeness of names in one
//! file. Every element of the code is the new form of one old element at most.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Drift, DriftReport, DriftStatus, SavedElement, SavedIndex};
use crate::model::{CodebaseIndex, ElementKind};

/// Compares a saved index with the code. `threshold` is the likeness of names, from 0 to 1, from which one may be the
/// new form of the other; [`super::THRESHOLD`] is the usual one.
#[must_use]
pub fn compare_with_saved_index(saved: &SavedIndex, index: &CodebaseIndex, threshold: f64) -> DriftReport {
    let now = SavedIndex::from_index(index).elements;
    let mut matching = Matching { old: &saved.elements, now: &now, found: BTreeMap::new(), taken: HashSet::new() };
    matching.by_name();
    matching.by_body();
    matching.by_likeness(threshold);
    matching.report()
}

struct Matching<'a> {
    old: &'a [SavedElement],
    now: &'a [SavedElement],
    /// For the position of an old element what it is now: one position, or several that it may be.
    found: BTreeMap<usize, (Vec<usize>, f64)>,
    taken: HashSet<usize>,
}

type ElementKey<'a> = (&'a str, ElementKind, &'a str);

impl<'a> Matching<'a> {
    fn record_match(&mut self, old: usize, now: usize, confidence: f64) {
        self.found.insert(old, (vec![now], confidence));
        self.taken.insert(now);
    }

    fn unmatched_old(&self) -> Vec<(usize, &'a SavedElement)> {
        self.old.iter().enumerate().filter(|(at, _)| !self.found.contains_key(at)).collect()
    }

    fn unmatched_new(&self) -> impl Iterator<Item = (usize, &'a SavedElement)> + '_ {
        self.now.iter().enumerate().filter(|(at, _)| !self.taken.contains(at))
    }

    fn by_name(&mut self) {
        let mut places: HashMap<ElementKey<'_>, usize> = HashMap::new();
        for (at, element) in self.now.iter().enumerate() {
            places.entry((&element.file, element.kind, &element.path)).or_insert(at);
        }
        for (at, element) in self.old.iter().enumerate() {
            if let Some(&now) = places.get(&(element.file.as_str(), element.kind, element.path.as_str()))
                && !self.taken.contains(&now)
            {
                self.record_match(at, now, 1.0);
            }
        }
    }

    fn by_body(&mut self) {
        let open = self.unmatched_old();
        let mut bodies: HashMap<(ElementKind, &str), Vec<usize>> = HashMap::new();
        for (at, element) in self.unmatched_new() {
            bodies.entry((element.kind, &element.body)).or_default().push(at);
        }
        let mut rivals: HashMap<(ElementKind, &str), usize> = HashMap::new();
        for (_, element) in &open {
            *rivals.entry((element.kind, &element.body)).or_default() += 1;
        }
        for (at, element) in open {
            let key = (element.kind, element.body.as_str());
            let free = |now: &&usize| !self.taken.contains(now);
            let all: Vec<usize> = bodies.get(&key).into_iter().flatten().filter(free).copied().collect();
            let has_name = |now: &usize| self.now.get(*now).is_some_and(|now| now.name() == element.name());
            let in_file = |now: &usize| self.now.get(*now).is_some_and(|now| now.file == element.file);
            let same_name: Vec<usize> = all.iter().copied().filter(has_name).collect();
            let same_file: Vec<usize> = all.iter().copied().filter(in_file).collect();
            match (same_name.as_slice(), same_file.as_slice(), all.as_slice()) {
                ([one], _, _) => self.record_match(at, *one, 1.0),
                ([], [one], _) | ([], [], [one]) if rivals.get(&key) == Some(&1) => self.record_match(at, *one, 1.0),
                ([], [], []) => {}
                _ => {
                    self.found.insert(at, (all, 0.5));
                }
            }
        }
    }

    fn by_likeness(&mut self, threshold: f64) {
        for (at, element) in self.unmatched_old() {
            let holder = |path: &'a str| path.rsplit_once('.').map_or("", |(holder, _)| holder);
            let mut like: Vec<(f64, usize)> = self
                .unmatched_new()
                .filter(|(_, now)| now.file == element.file && now.kind == element.kind)
                .filter(|(_, now)| holder(&now.path) == holder(&element.path))
                .map(|(now, found)| (strsim::normalized_levenshtein(element.name(), found.name()), now))
                .filter(|(likeness, _)| *likeness >= threshold)
                .collect();
            like.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            match like.as_slice() {
                [] => {}
                [(likeness, one)] => self.record_match(at, *one, *likeness),
                [(first, one), (second, _), ..] if first > second => self.record_match(at, *one, *first),
                several => {
                    let likeness = several.first().map_or(0.0, |(likeness, _)| *likeness);
                    self.found.insert(at, (several.iter().map(|(_, now)| *now).collect(), likeness / 2.0));
                }
            }
        }
    }

    fn report(&self) -> DriftReport {
        let mut counts: BTreeMap<DriftStatus, usize> = BTreeMap::new();
        let (mut drifted, mut edited, mut candidates) = (Vec::new(), 0, HashSet::<usize>::new());
        for (at, old) in self.old.iter().enumerate() {
            let (now, confidence) = self.found.get(&at).map_or((&[][..], 1.0), |(now, sure)| (now.as_slice(), *sure));
            let each: Vec<&SavedElement> = now.iter().filter_map(|at| self.now.get(*at)).collect();
            let entry = classify_drift(old, &each, confidence);
            if entry.status == DriftStatus::Ambiguous {
                candidates.extend(now.iter().copied());
            }
            *counts.entry(entry.status).or_default() += 1;
            edited += usize::from(entry.status == DriftStatus::Unchanged && entry.body_changed);
            if entry.status != DriftStatus::Unchanged {
                drifted.push(entry);
            }
        }
        let gone = drifted.len();
        for (_, now) in self.unmatched_new().filter(|(at, _)| !candidates.contains(at)) {
            *counts.entry(DriftStatus::Added).or_default() += 1;
            drifted.push(added(now));
        }
        drifted.sort_by(|a, b| (&a.reference, a.status).cmp(&(&b.reference, b.status)));
        let total = self.old.len();
        #[expect(clippy::cast_precision_loss, reason = "counts of elements are far below 2^52")]
        let percent = if total == 0 { 0.0 } else { (gone as f64 / total as f64 * 10_000.0).round() / 100.0 };
        DriftReport { total, counts, edited, percent, drifted }
    }
}

fn classify_drift(old: &SavedElement, now: &[&SavedElement], confidence: f64) -> Drift {
    let (status, new) = match now {
        [] => (DriftStatus::Missing, None),
        [one] if one.path != old.path => (DriftStatus::Renamed, Some(one)),
        [one] if one.file != old.file || one.line != old.line => (DriftStatus::Moved, Some(one)),
        [one] => (DriftStatus::Unchanged, Some(one)),
        _ => (DriftStatus::Ambiguous, None),
    };
    Drift {
        status,
        reference: old.reference(),
        old_line: Some(old.line),
        new_line: new.map(|new| new.line),
        old_name: Some(old.path.clone()),
        new_name: new.map(|new| new.path.clone()),
        body_changed: new.is_some_and(|new| new.body != old.body),
        suggestions: now.iter().map(|now| now.reference()).collect(),
        confidence,
        auto_fixable: matches!(status, DriftStatus::Moved) || (status == DriftStatus::Renamed && confidence >= 1.0),
    }
}

fn added(now: &SavedElement) -> Drift {
    Drift {
        status: DriftStatus::Added,
        reference: now.reference(),
        old_line: None,
        new_line: Some(now.line),
        old_name: None,
        new_name: Some(now.path.clone()),
        body_changed: false,
        suggestions: Vec::new(),
        confidence: 1.0,
        auto_fixable: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(path: &str, line: u32, body: &str) -> SavedElement {
        let kind = ElementKind::Function;
        SavedElement { file: "a.py".into(), path: path.into(), kind, line, end_line: line + 3, body: body.into() }
    }

    fn statuses(old: &[SavedElement], now: &[SavedElement]) -> Vec<(DriftStatus, String)> {
        let mut matching = Matching { old, now, found: BTreeMap::new(), taken: HashSet::new() };
        matching.by_name();
        matching.by_body();
        matching.by_likeness(super::super::THRESHOLD);
        let drifted = matching.report().drifted.into_iter();
        drifted.map(|drift| (drift.status, drift.old_name.or(drift.new_name).unwrap())).collect()
    }

    #[test]
    fn each_status() {
        use DriftStatus::*;
        let old = [
            element("same", 1, "1"),
            element("edited", 5, "2"),
            element("moved", 9, "3"),
            element("taken", 13, "4"),
            element("parse_line", 17, "5"),
            element("gone", 21, "6"),
            element("twin", 25, "7"),
        ];
        let now = [
            element("same", 1, "1"),
            element("edited", 5, "x"),
            element("moved", 12, "3"),
            element("quite_another", 16, "4"),
            element("parse_lines", 20, "y"),
            element("fresh", 24, "z"),
            element("left", 28, "7"),
            element("right", 32, "7"),
        ];
        let expected = [(Added, "fresh"), (Missing, "gone"), (Moved, "moved"), (Renamed, "parse_line")];
        let rest = [(Renamed, "taken"), (Ambiguous, "twin")];
        let expected: Vec<_> = expected.into_iter().chain(rest).map(|(s, n)| (s, n.to_owned())).collect();
        assert_eq!(statuses(&old, &now), expected);
        assert_eq!(statuses(&old, &old), []);
    }
}
