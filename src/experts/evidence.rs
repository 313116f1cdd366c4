//! What speaks for a file beside the full-text search: the words of its domain, and the everyday words that stand for
//! its terms. The weights were fitted, all others being equal, to the chance that a file holds what a question wants.

use std::collections::BTreeMap;

use super::domain::Domain;
use super::symptoms::SymptomReading;
use super::vocabulary::Vocabulary;
use super::words::{Query, Words};

/// What BM25 of the whole file counts.
const FILE: f64 = 0.8;
/// What BM25 of its best section counts: one section about the matter says more than words scattered over a file.
const SECTION: f64 = 0.8;
/// What BM25 of its nearest declared question counts.
const QUESTION: f64 = 0.5;
/// What shared pairs of words count.
const PAIRS: f64 = 1.2;
/// Points of a file that has every word of the question.
const COVERAGE: f64 = 9.5;
/// What the entries count that the question is read as, by the share of their terms that the file has.
const SYMPTOM: f64 = 0.6;
/// What the entries of its domain count.
const SYMPTOM_OF_DOMAIN: f64 = 1.0;
/// What the words of its domain count, in logarithms of odds.
const DOMAIN: f64 = 0.73;
/// What a term counts that the file has only in its text.
const IN_TEXT: f64 = 0.3;
/// What an entry of another domain counts for a file.
const OTHER_DOMAIN: f64 = 0.5;

/// BM25 of a file and its parts, and of what stands side by side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct WordEvidence {
    pub(super) file: f64,
    pub(super) section: f64,
    pub(super) question: f64,
    pub(super) pairs: f64,
    /// The share of what the question's words weigh that the file has.
    pub(super) coverage: f64,
}

impl WordEvidence {
    pub(super) fn total(self) -> f64 {
        FILE * self.file
            + SECTION * self.section
            + QUESTION * self.question
            + PAIRS * self.pairs
            + COVERAGE * self.coverage
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
        let share = if all > 0.0 { has / all } else { 0.0 };
        shared * share * if *of == domain { 1.0 } else { OTHER_DOMAIN }
    });
    SYMPTOM * added.sum::<f64>()
}
