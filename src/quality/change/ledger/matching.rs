//! Which suppressions stood in the base.

use std::collections::BTreeMap;

use super::super::matching::{ALIKE, likeness_of_lines};
use super::super::report::SuppressionState;
use super::super::side::{FilePair, FileSide};
use tapps_rules::suppression::{Suppression, SuppressionScope};

/// The suppressions of the files of a change, with what the change has to do with each.
#[derive(Debug, Default)]
pub(crate) struct MatchedSuppressions(BTreeMap<String, Vec<(Suppression, SuppressionState)>>);

impl MatchedSuppressions {
    pub(crate) fn files(&self) -> impl Iterator<Item = (&String, &Vec<(Suppression, SuppressionState)>)> {
        self.0.iter()
    }

    pub(crate) fn into_files(self) -> impl Iterator<Item = (String, Vec<(Suppression, SuppressionState)>)> {
        self.0.into_iter()
    }
}

/// One suppression of one side.
struct Entry<'p> {
    /// Position of its file in the change.
    file: usize,
    path: &'p str,
    one: &'p Suppression,
    text: &'p str,
    matched: bool,
}

/// Matches the suppressions of both sides: on the same line, on the same line of another file of the change, and on a line
/// that was edited. What is left over is new, or removed.
pub(crate) fn match_suppressions(pairs: &[FilePair]) -> MatchedSuppressions {
    let mut base = entries(pairs, |pair| pair.base.as_ref());
    let mut head = entries(pairs, |pair| pair.head.as_ref());
    let same_words = |a: &Entry<'_>, b: &Entry<'_>| a.one.kind == b.one.kind && a.one.rules == b.one.rules;
    let same_line = |a: &Entry<'_>, b: &Entry<'_>| same_words(a, b) && fold(a.text) == fold(b.text);
    let of_file = |a: &Entry<'_>, b: &Entry<'_>| {
        same_words(a, b) && a.one.scope == SuppressionScope::File && b.one.scope == SuppressionScope::File
    };
    let alike = |a: &Entry<'_>, b: &Entry<'_>| same_words(a, b) && likeness_of_lines(a.text, b.text) >= ALIKE;
    pair_where(&mut base, &mut head, |a, b| a.file == b.file && same_line(a, b));
    pair_where(&mut base, &mut head, same_line);
    pair_where(&mut base, &mut head, |a, b| a.file == b.file && of_file(a, b));
    pair_where(&mut base, &mut head, |a, b| a.file == b.file && alike(a, b));
    let mut matched = MatchedSuppressions::default();
    for entry in head {
        let state = if entry.matched { SuppressionState::Existing } else { SuppressionState::New };
        matched.0.entry(entry.path.to_owned()).or_default().push((entry.one.clone(), state));
    }
    for entry in base.into_iter().filter(|entry| !entry.matched) {
        matched.0.entry(entry.path.to_owned()).or_default().push((entry.one.clone(), SuppressionState::Removed));
    }
    matched
}

fn entries<'p>(pairs: &'p [FilePair], side: impl Fn(&'p FilePair) -> Option<&'p FileSide>) -> Vec<Entry<'p>> {
    let of_pair = |(file, pair): (usize, &'p FilePair)| {
        let side = side(pair)?;
        let entry = move |one: &'p Suppression| Entry {
            file,
            path: &pair.path,
            one,
            text: side.line(one.line),
            matched: false,
        };
        Some(side.score.suppressions.iter().map(entry))
    };
    pairs.iter().enumerate().filter_map(of_pair).flatten().collect()
}

/// Pairs what is left, first with first.
fn pair_where(base: &mut [Entry<'_>], head: &mut [Entry<'_>], is_same: impl Fn(&Entry<'_>, &Entry<'_>) -> bool) {
    for now in head.iter_mut().filter(|entry| !entry.matched) {
        if let Some(before) = base.iter_mut().find(|before| !before.matched && is_same(before, now)) {
            before.matched = true;
            now.matched = true;
        }
    }
}

/// A line without its indentation and with single spaces.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
