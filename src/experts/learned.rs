//! What was said of earlier answers, as a small push to the order of files: never far, never on one word, and only where a
//! configuration asks for it.

use std::collections::BTreeMap;

use super::index::Match;

/// How far what a file is worth beside others moves at most, as a share of it.
const BOUND: f64 = 0.2;
/// Outcomes of a file at which it has moved half as far as those outcomes could move it.
const HALF: f64 = 4.0;
/// Outcomes that a file needs before it moves.
const NEEDED: u32 = 3;

/// What outcomes make of the worth of files, by their names `<domain>/<topic>`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LearnedRanks(BTreeMap<String, f64>);

impl LearnedRanks {
    /// From how many answers of each file were right and wrong. The factor of a file is
    /// `1 + 0.2 · (right − wrong) / (right + wrong + 4)`, and 1 below three outcomes.
    #[must_use]
    pub fn from_outcomes(outcomes: impl IntoIterator<Item = (String, u32, u32)>) -> Self {
        let factor = |(name, right, wrong): (String, u32, u32)| {
            let told = right.saturating_add(wrong);
            let balance = f64::from(right) - f64::from(wrong);
            (told >= NEEDED && balance != 0.0).then(|| (name, 1.0 + BOUND * balance / (f64::from(told) + HALF)))
        };
        Self(outcomes.into_iter().filter_map(factor).collect())
    }

    /// Puts files that are nearly as good as each other into another order. True when the order of the first three has
    /// changed; those are what an answer is made of.
    pub(super) fn reorder<'n>(&self, matches: &mut [Match], name_of: impl Fn(&Match) -> Option<&'n str>) -> bool {
        let first_three =
            |matches: &[Match]| -> Vec<usize> { matches.iter().take(3).map(|found| found.hit.file).collect() };
        let before = first_three(matches);
        for found in matches.iter_mut() {
            found.worth *= name_of(found).and_then(|name| self.0.get(name)).copied().unwrap_or(1.0);
        }
        // Stable: what is worth the same keeps its place.
        matches.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        before != first_three(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::FileHit;

    fn found(file: usize, worth: f64) -> Match {
        Match { hit: FileHit::without_words(file), worth, sections: Vec::new() }
    }

    fn order(outcomes: &[(&str, u32, u32)], worth: [f64; 3]) -> (Vec<usize>, bool) {
        let outcomes = outcomes.iter().map(|(name, right, wrong)| ((*name).to_owned(), *right, *wrong));
        let ranks = LearnedRanks::from_outcomes(outcomes);
        let mut matches: Vec<Match> = worth.into_iter().enumerate().map(|(file, worth)| found(file, worth)).collect();
        let moved = ranks.reorder(&mut matches, |found| ["a", "b", "c"].get(found.hit.file).copied());
        (matches.iter().map(|found| found.hit.file).collect(), moved)
    }

    #[test]
    fn outcomes_move_files_that_are_nearly_as_good() {
        assert_eq!(order(&[], [1.0, 0.95, 0.5]), (vec![0, 1, 2], false));
        assert_eq!(order(&[("b", 8, 0)], [1.0, 0.95, 0.5]), (vec![1, 0, 2], true));
        assert_eq!(order(&[("a", 0, 8)], [1.0, 0.95, 0.5]), (vec![1, 0, 2], true));
        // As many for as against, and too few to count.
        assert_eq!(order(&[("b", 4, 4)], [1.0, 0.95, 0.5]), (vec![0, 1, 2], false));
        assert_eq!(order(&[("b", 2, 0)], [1.0, 0.99, 0.5]), (vec![0, 1, 2], false));
    }

    #[test]
    fn no_number_of_outcomes_moves_a_file_by_more_than_a_fifth() {
        let ranks = LearnedRanks::from_outcomes([("a".to_owned(), u32::MAX, 0), ("b".to_owned(), 0, u32::MAX)]);
        assert!(ranks.0["a"] < 1.2 && ranks.0["a"] > 1.199, "{ranks:?}");
        assert!(ranks.0["b"] > 0.8 && ranks.0["b"] < 0.801, "{ranks:?}");
        assert_eq!(order(&[("c", 1_000_000, 0), ("a", 0, 1_000_000)], [1.0, 0.6, 0.6]).0, [0, 2, 1]);
    }
}
