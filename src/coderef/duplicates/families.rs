//! Families of clones: all places that have one stretch of code in common.

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pairs::{PlacePair, pairs_of_seeds};
use super::seeds::seed_pairs;
use super::statement::{FileStatements, Statement};

tapps_base::wire_enum! {
    /// How alike the places of a family are.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum CloneKind {
        /// But for layout and comments.
        Exact = "exact",
        /// But for names and literals.
        Renamed = "renamed",
        /// But for names, literals, and statements that only one of them has.
        Gapped = "gapped",
    }
}

/// Share of the longer of two overlapping stretches from which on they are one place.
const ONE_PLACE: f64 = 0.7;

/// A stretch of statements in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CloneStretch {
    /// The number of the file.
    pub file: usize,
    pub statements: StatementRange,
}

/// Positions of statements, the last one included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatementRange {
    pub first: usize,
    pub last: usize,
}

impl StatementRange {
    fn from_range(range: &Range<usize>) -> Self {
        Self { first: range.start, last: range.end.saturating_sub(1) }
    }

    fn length(self) -> usize {
        self.last - self.first + 1
    }

    fn overlaps(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    fn is_one_place_with(self, other: Self) -> bool {
        let (from, to) = (self.first.max(other.first), self.last.min(other.last));
        to >= from && (to - from + 1) as f64 >= ONE_PLACE * self.length().max(other.length()) as f64
    }
}

/// Places that have code in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StretchFamily {
    pub kind: CloneKind,
    /// By file and position; two at least.
    pub places: Vec<CloneStretch>,
    /// Statements and tokens that the first place has in common with the one that is likest.
    pub statements: usize,
    pub tokens: usize,
    /// Positions in the first place and in that one which correspond.
    pub matched: Vec<(usize, usize)>,
    /// The position of that one among the places.
    pub compared_with: usize,
}

/// The families among some files, the largest first (by the tokens that could be saved), then by place. Files with one group
/// number are compared with each other.
#[must_use]
pub fn find_families(files: &[(u64, &FileStatements)]) -> Vec<StretchFamily> {
    let statements: Vec<(u64, &[Statement])> =
        files.iter().map(|(group, file)| (*group, file.statements.as_slice())).collect();
    let seeds = seed_pairs(&statements);
    let files: Vec<&FileStatements> = files.iter().map(|(_, file)| *file).collect();
    let mut pairs = pairs_of_seeds(&seeds, &files);
    // The largest decide what a place is.
    pairs.sort_by(|a, b| {
        let order = |pair: &PlacePair| (pair.first.0, pair.first.1.start, pair.second.0, pair.second.1.start);
        b.tokens.cmp(&a.tokens).then_with(|| order(a).cmp(&order(b)))
    });
    let mut places = Places::default();
    for (number, pair) in pairs.iter().enumerate() {
        let first = places.find_or_add(pair.first.0 as usize, StatementRange::from_range(&pair.first.1));
        let second = places.find_or_add(pair.second.0 as usize, StatementRange::from_range(&pair.second.1));
        places.join(first, second, number);
    }
    let mut families = places.into_families(&pairs);
    families.sort_by(|a, b| {
        let saved = |family: &StretchFamily| family.tokens * (family.places.len() - 1);
        saved(b).cmp(&saved(a)).then_with(|| a.places.cmp(&b.places))
    });
    families
}

/// Places that have been seen, and which belong together.
#[derive(Debug, Default)]
struct Places {
    all: Vec<CloneStretch>,
    by_file: BTreeMap<usize, Vec<usize>>,
    parent: Vec<usize>,
    /// The pairs of each family, by any of its places.
    pairs: Vec<(usize, usize)>,
}

impl Places {
    fn find_or_add(&mut self, file: usize, statements: StatementRange) -> usize {
        let known = self.by_file.entry(file).or_default();
        let found = known
            .iter()
            .find(|at| self.all.get(**at).is_some_and(|place| place.statements.is_one_place_with(statements)));
        if let Some(found) = found {
            return *found;
        }
        let number = self.all.len();
        known.push(number);
        self.all.push(CloneStretch { file, statements });
        self.parent.push(number);
        number
    }

    fn root(&self, mut at: usize) -> usize {
        while let Some(parent) = self.parent.get(at).copied().filter(|parent| *parent != at) {
            at = parent;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize, pair: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(parent) = self.parent.get_mut(a.max(b)) {
            *parent = a.min(b);
        }
        self.pairs.push((a.min(b), pair));
    }

    fn into_families(self, pairs: &[PlacePair]) -> Vec<StretchFamily> {
        let mut members: BTreeMap<usize, Vec<CloneStretch>> = BTreeMap::new();
        for (at, place) in self.all.iter().enumerate() {
            members.entry(self.root(at)).or_default().push(place.clone());
        }
        let mut joined: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, pair) in &self.pairs {
            joined.entry(self.root(*place)).or_default().push(*pair);
        }
        let family = |(root, places): (usize, Vec<CloneStretch>)| {
            let joined: Vec<&PlacePair> = joined.get(&root)?.iter().filter_map(|number| pairs.get(*number)).collect();
            // Of places that overlap the one that was found first, in the larger pair, stands for all.
            let mut apart: Vec<CloneStretch> = Vec::new();
            for place in places {
                let is_met =
                    |known: &CloneStretch| known.file == place.file && known.statements.overlaps(place.statements);
                if !apart.iter().any(is_met) {
                    apart.push(place);
                }
            }
            let mut places = apart;
            places.sort();
            let largest = *joined.first()?;
            let position = |(file, range): &(u32, Range<usize>)| {
                let wanted = StatementRange::from_range(range);
                places
                    .iter()
                    .position(|place| place.file == *file as usize && place.statements.is_one_place_with(wanted))
            };
            let (first, second) = (position(&largest.first)?, position(&largest.second)?);
            if first == second {
                return None;
            }
            // What is compared stands first.
            places.swap(0, first);
            let second = if second == 0 { first } else { second };
            let kind = if joined.iter().any(|pair| pair.has_gaps) {
                CloneKind::Gapped
            } else if joined.iter().all(|pair| pair.is_exact) {
                CloneKind::Exact
            } else {
                CloneKind::Renamed
            };
            (places.len() > 1).then(|| StretchFamily {
                kind,
                statements: largest.matched.len(),
                tokens: largest.tokens,
                matched: largest.matched.clone(),
                compared_with: second,
                places,
            })
        };
        members.into_iter().filter_map(family).collect()
    }
}
