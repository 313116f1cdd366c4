//! What two searches say of the same things made into one worth.

use std::collections::BTreeMap;

use tapps_config::SearchMode;

/// What the sections' words count when both are compared; vectors count the rest.
const SECTION_WORDS: f64 = 0.6;

/// What words and vectors count, and how sure an answer is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FusionWeights {
    pub(crate) words: f64,
    pub(crate) vectors: f64,
    /// What a point of the search by words counts.
    point: f64,
    /// Points of a likeness of 1.
    likeness: f64,
    /// Points of the likeness of a domain's entries.
    domain: f64,
    /// What the logarithm of the odds by words, a point, a share of unknown words and one of everyday words add to the
    /// logarithm of the odds that a question is covered, and where it begins.
    odds: [f64; 5],
}

/// What the words of a question tell about whether it is covered.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct WordOdds {
    /// The logarithm of the odds that it is, by words alone.
    pub(crate) covered: f64,
    /// The share of the words that neither files nor everyday entries have.
    pub(crate) unknown: f64,
    /// The share that everyday entries have.
    pub(crate) everyday: f64,
}

/// What is added to the logarithm of the odds when the domain was asked for: then only a question of which nothing there
/// is near is declined.
const ASKED_DOMAIN: f64 = 1.5;

impl FusionWeights {
    pub(crate) const fn for_mode(mode: SearchMode) -> Self {
        match mode {
            SearchMode::Lexical => Self {
                words: 1.0,
                vectors: 0.0,
                point: 1.0,
                likeness: 0.0,
                domain: 0.0,
                odds: [1.0, 0.0, 0.0, 0.0, 0.0],
            },
            SearchMode::Vector => Self {
                words: 0.0,
                vectors: 1.0,
                point: 0.0,
                likeness: 80.0,
                domain: 16.0,
                odds: [0.0, 0.150, -11.0, 2.5, -5.9],
            },
            SearchMode::Auto | SearchMode::Hybrid => Self {
                words: SECTION_WORDS,
                vectors: 1.0 - SECTION_WORDS,
                point: 0.7,
                likeness: 32.55,
                domain: 3.15,
                odds: [0.768, 0.0728, -0.907, 0.476, -1.643],
            },
        }
    }

    /// The points of a file: those by words, by its likeness, and by that of its domain.
    pub(crate) fn join_points(&self, by_words: f64, likeness: f64, domain: f64) -> f64 {
        self.point * by_words + self.likeness * likeness + self.domain * domain
    }

    /// The chance that a question is covered whose best file has so many points, and whose words speak for it by so much.
    pub(crate) fn confidence(&self, points: f64, words: WordOdds, asked_domain: bool) -> f64 {
        let [of_words, point, of_unknown, of_everyday, start] = self.odds;
        let asked = if asked_domain { ASKED_DOMAIN } else { 0.0 };
        let told = of_words * words.covered + of_unknown * words.unknown + of_everyday * words.everyday;
        1.0 / (1.0 + libm::exp(-(point * points + told + start + asked)))
    }

    /// The worth of everything that has any, best first; what is worth the same, in the order of its numbers. Each value
    /// counts as a share of the best of its kind, since the two are measured on different scales.
    pub(crate) fn fuse_scores(self, words: &BTreeMap<usize, f64>, vectors: &BTreeMap<usize, f64>) -> Vec<(usize, f64)> {
        let mut worth = BTreeMap::<usize, f64>::new();
        for (values, weight) in [(words, self.words), (vectors, self.vectors)] {
            let best = values.values().copied().fold(0.0, f64::max);
            for (number, value) in values.iter().filter(|(_, value)| **value > 0.0) {
                *worth.entry(*number).or_default() += weight * value / best;
            }
        }
        let mut ordered: Vec<(usize, f64)> = worth.into_iter().filter(|(_, worth)| *worth > 0.0).collect();
        ordered.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(mode: SearchMode, words: &[(usize, f64)], vectors: &[(usize, f64)]) -> Vec<usize> {
        let [words, vectors] = [words, vectors].map(|values| values.iter().copied().collect());
        FusionWeights::for_mode(mode).fuse_scores(&words, &vectors).into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn what_both_find_comes_before_what_one_of_them_finds_first() {
        let (words, vectors) = ([(7, 30.0), (3, 25.0), (9, 1.0)], [(4, 0.6), (3, 0.5), (7, 0.05)]);
        assert_eq!(order(SearchMode::Hybrid, &words, &vectors), [3, 7, 4, 9]);
        assert_eq!(order(SearchMode::Vector, &words, &vectors), [4, 3, 7]);
        assert_eq!(order(SearchMode::Lexical, &words, &vectors), [7, 3, 9]);
    }

    #[test]
    fn shares_are_weighed() {
        let fused =
            FusionWeights::for_mode(SearchMode::Hybrid).fuse_scores(&[(1, 10.0), (2, 5.0)].into(), &[(2, 0.8)].into());
        let worth: Vec<(usize, i32)> =
            fused.iter().map(|(number, worth)| (*number, (worth * 1e3).round() as i32)).collect();
        assert_eq!(worth, [(2, 700), (1, 600)]);
    }

    #[test]
    fn the_same_worth_keeps_the_order_and_none_is_left_out() {
        assert_eq!(order(SearchMode::Hybrid, &[(2, 1.0), (1, 1.0), (5, 0.0)], &[]), [1, 2]);
        assert_eq!(order(SearchMode::Vector, &[(2, 1.0)], &[(3, -0.5)]), Vec::<usize>::new());
    }
}
