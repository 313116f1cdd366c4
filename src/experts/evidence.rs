//! What speaks for a file: the full-text search, the likelihood of the words, the words of its domain, and the everyday
//! words that stand for its terms. The weights were fitted together to the chance that a file holds what a question wants.

use std::collections::BTreeMap;

use super::domain::Domain;
use super::symptoms::SymptomReading;
use super::vocabulary::Vocabulary;
use super::words::{Query, Words};

/// What BM25 of its best section counts: one section about the matter says more than words scattered over a file.
const SECTION: f64 = 0.283;
/// What BM25 of its nearest declared question counts.
const QUESTION: f64 = 0.26;
/// What shared pairs of words count.
const PAIRS: f64 = 0.636;
/// Points of a file that has every word of the question.
const COVERAGE: f64 = 0.938;
/// What the likelihood of the question's words counts, in logarithms.
const LIKELIHOOD: f64 = 2.567;
/// What the likelihood of the words beside the question counts: they are of the same project, and not what is asked.
const BESIDE: f64 = 0.5;
/// What the entries count that the question is read as, by the share of their terms that the file has.
const SYMPTOM: f64 = 0.383;
/// What the entries of its domain count.
const SYMPTOM_OF_DOMAIN: f64 = 0.439;
/// What the words of its domain count, in logarithms of odds.
const DOMAIN: f64 = 0.251;
/// What a term counts that the file has only in its text.
const IN_TEXT: f64 = 0.3;
/// What an entry of another domain counts for a file.
const OTHER_DOMAIN: f64 = 0.5;

/// Points by which the chance of a file falls to 1/e where the chances of a domain's files are added up.
const SPREAD: f64 = 6.4;
/// What the chance of its domain counts for a file: several good files say more about the domain than the best one.
const OF_ITS_DOMAIN: f64 = 0.6;

/// What each domain adds to its files: the logarithm of its share of the chances of all files.
pub(super) fn domain_chances(points: &[(Domain, f64)]) -> BTreeMap<Domain, f64> {
    let best = points.iter().map(|(_, points)| *points).fold(f64::NEG_INFINITY, f64::max);
    let (mut sums, mut all) = (BTreeMap::<Domain, f64>::new(), 0.0);
    for (domain, points) in points {
        let chance = libm::exp((points - best) / SPREAD);
        *sums.entry(*domain).or_default() += chance;
        all += chance;
    }
    sums.values_mut().for_each(|sum| *sum = OF_ITS_DOMAIN * SPREAD * libm::log(f64::max(*sum / all, 1e-9)));
    sums
}

/// What is known of a file's words and of those that stand side by side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct WordEvidence {
    /// BM25 of the best section.
    pub(super) section: f64,
    /// BM25 of the nearest declared question.
    pub(super) question: f64,
    pub(super) pairs: f64,
    /// The share of what the question's words weigh that the file has.
    pub(super) coverage: f64,
    /// How much likelier the question's words are here than anywhere, in logarithms.
    pub(super) likelihood: f64,
    /// The same for the words beside the question.
    pub(super) beside: f64,
}

impl WordEvidence {
    pub(super) fn total(self) -> f64 {
        SECTION * self.section
            + QUESTION * self.question
            + PAIRS * self.pairs
            + COVERAGE * self.coverage
            + LIKELIHOOD * self.likelihood
            + BESIDE * self.beside
    }
}

/// What speaks for a question being covered at all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct CoverEvidence {
    /// Of the best file.
    pub(super) words: WordEvidence,
    /// What the entries of its domain have of the question.
    pub(super) reading: f64,
    /// The logarithms of the odds of the words in its domain.
    pub(super) domain: f64,
    /// Words of the question.
    pub(super) asked: usize,
    /// The share of them that neither files nor everyday entries have.
    pub(super) unknown: f64,
    /// The share that everyday entries have.
    pub(super) everyday: f64,
}

impl CoverEvidence {
    /// The logarithm of the odds. The weights differ from those of points, which say which file is best and less whether it
    /// is good: a likelihood is relative to other files, and many words in common are not.
    pub(super) fn log_odds(self) -> f64 {
        let Self { words, reading, domain, asked, unknown, everyday } = self;
        0.1055 * words.section
            + 0.6394 * words.pairs
            + 7.299 * words.coverage
            + 0.2074 * reading
            + 0.0372 * domain
            + 3.252 * libm::log(1.0 + asked as f64)
            - 6.138 * unknown
            + 3.115 * everyday
            - 14.84
    }
}

/// In how many files of each domain a word stands, twice where it stands in title, questions or tags.
#[derive(Debug)]
pub(super) struct DomainWords {
    files: BTreeMap<Domain, u32>,
    counts: BTreeMap<Domain, BTreeMap<u32, u32>>,
}

impl DomainWords {
    pub(super) fn count_words<'a>(files: impl Iterator<Item = (Domain, &'a Words)>) -> Self {
        let mut counted = Self { files: BTreeMap::new(), counts: BTreeMap::new() };
        for (domain, words) in files {
            *counted.files.entry(domain).or_default() += 1;
            let counts = counted.counts.entry(domain).or_default();
            words.all().iter().chain(words.strong()).for_each(|word| *counts.entry(*word).or_default() += 1);
        }
        counted
    }

    /// How much more often than elsewhere the words stand in files of each domain: the sum of the logarithms of the odds.
    pub(super) fn log_odds(&self, query: &Query) -> BTreeMap<Domain, f64> {
        let of = |domain: &Domain, word: u32| -> f64 {
            self.counts.get(domain).and_then(|counts| counts.get(&word)).copied().unwrap_or_default().into()
        };
        let all_files: f64 = self.files.values().copied().map(f64::from).sum();
        let mut odds: BTreeMap<Domain, f64> = self.files.keys().map(|domain| (*domain, 0.0)).collect();
        for word in query.known_words() {
            let everywhere: f64 = self.files.keys().map(|domain| of(domain, word)).sum();
            if everywhere == 0.0 {
                continue;
            }
            let expected = (everywhere + 0.5) / (all_files + 1.0);
            for (domain, files) in &self.files {
                let share = (of(domain, word) + 0.5) / (f64::from(*files) + 1.0);
                *odds.entry(*domain).or_default() += libm::log(share / expected);
            }
        }
        odds
    }
}

/// What the domain of a file adds to it.
pub(super) fn domain_evidence(domain: Domain, reading: &SymptomReading, odds: &BTreeMap<Domain, f64>) -> f64 {
    SYMPTOM_OF_DOMAIN * reading.of_domain(domain) + DOMAIN * odds.get(&domain).copied().unwrap_or_default()
}

/// What the entries add to a file, by the share of their terms that it has.
pub(super) fn symptom_evidence(
    reading: &SymptomReading,
    domain: Domain,
    words: &Words,
    vocabulary: &Vocabulary,
) -> f64 {
    let added = reading.entries.iter().map(|(of, terms, shared)| {
        shared * share_of_terms(terms, words, vocabulary) * if *of == domain { 1.0 } else { OTHER_DOMAIN }
    });
    SYMPTOM * added.sum::<f64>()
}

/// The share of what terms weigh that a file has.
pub(super) fn share_of_terms(terms: &[u32], words: &Words, vocabulary: &Vocabulary) -> f64 {
    let (mut has, mut all) = (0.0, 0.0);
    for term in terms {
        let weight = vocabulary.weight(Some(*term));
        all += weight;
        if words.strong().binary_search(term).is_ok() {
            has += weight;
        } else if words.all().binary_search(term).is_ok() {
            has += IN_TEXT * weight;
        }
    }
    if all > 0.0 { has / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_good_files_outweigh_one_that_is_a_little_better() {
        let points = [(Domain::Ux, 20.0), (Domain::Database, 19.5), (Domain::Database, 19.0), (Domain::Security, 0.0)];
        let added = domain_chances(&points);
        // exp(-0.5 / 6.4) + exp(-1 / 6.4) of all four.
        let chance = |points: f64| ((points - 20.0) / 6.4).exp();
        let share = (chance(19.5) + chance(19.0)) / (1.0 + chance(19.5) + chance(19.0) + chance(0.0));
        assert!((added[&Domain::Database] - 0.6 * 6.4 * share.ln()).abs() < 1e-9, "{added:?}");
        assert!(19.5 + added[&Domain::Database] > 20.0 + added[&Domain::Ux], "{added:?}");
        assert!(added[&Domain::Security] < added[&Domain::Ux]);
    }

    #[test]
    fn what_speaks_for_an_answer_raises_the_odds_and_unknown_words_lower_them() {
        let words = WordEvidence { section: 10.0, pairs: 4.0, coverage: 0.5, ..WordEvidence::default() };
        let some = CoverEvidence { words, reading: 6.0, domain: 2.0, asked: 7, unknown: 0.1, everyday: 0.5 };
        // 1.055 + 2.5576 + 3.6495 + 1.2444 + 0.0744 + 3.252 ln 8 - 0.6138 + 1.5575 - 14.84
        assert!((some.log_odds() - 1.446_94).abs() < 1e-3, "{}", some.log_odds());
        assert!(CoverEvidence { unknown: 0.4, ..some }.log_odds() < some.log_odds());
        assert!(CoverEvidence { everyday: 0.9, ..some }.log_odds() > some.log_odds());
    }
}
