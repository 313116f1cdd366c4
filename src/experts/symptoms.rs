//! What people say who have not the field's words, by domain: each entry joins the terms that files use with everyday
//! words about the same. A question in such words then points to a domain, and to the files about those terms.

use std::collections::{BTreeMap, BTreeSet};

use super::domain::Domain;
use super::vocabulary::VocabularyBuilder;

/// Everyday words of each domain: a table from terms to what is said instead of them.
const TABLES: [(Domain, &str); 16] = [
    (Domain::Accessibility, include_str!("symptoms/accessibility.toml")),
    (Domain::AgentLearning, include_str!("symptoms/agent-learning.toml")),
    (Domain::AiFrameworks, include_str!("symptoms/ai-frameworks.toml")),
    (Domain::ApiDesign, include_str!("symptoms/api-design.toml")),
    (Domain::Architecture, include_str!("symptoms/architecture.toml")),
    (Domain::CloudInfrastructure, include_str!("symptoms/cloud-infrastructure.toml")),
    (Domain::CodeQuality, include_str!("symptoms/code-quality.toml")),
    (Domain::DataPrivacy, include_str!("symptoms/data-privacy.toml")),
    (Domain::Database, include_str!("symptoms/database.toml")),
    (Domain::Devops, include_str!("symptoms/devops.toml")),
    (Domain::Documentation, include_str!("symptoms/documentation.toml")),
    (Domain::Observability, include_str!("symptoms/observability.toml")),
    (Domain::Performance, include_str!("symptoms/performance.toml")),
    (Domain::Security, include_str!("symptoms/security.toml")),
    (Domain::Testing, include_str!("symptoms/testing.toml")),
    (Domain::Ux, include_str!("symptoms/ux.toml")),
];
/// What a term counts beside an everyday word.
const TERM: f64 = 1.5;
/// Entries that a question is read as.
const READ_AS: usize = 5;
/// What the best entries of a domain count for it, best first.
const OF_DOMAIN: [f64; 3] = [1.0, 0.5, 0.25];

/// One matter: its terms, and what people say who have not got them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symptom {
    pub(super) domain: Domain,
    pub(super) terms: String,
    pub(super) said: String,
}

/// All entries, in the order of domains and terms. A table that could not be read would be missing, which a test forbids.
pub(super) fn declared_symptoms() -> Vec<Symptom> {
    let read = |(domain, text): (Domain, &str)| {
        let table: BTreeMap<String, String> = toml::from_str(text).unwrap_or_default();
        table.into_iter().map(move |(terms, said)| Symptom { domain, terms, said })
    };
    TABLES.into_iter().flat_map(read).collect()
}

/// The entries by the numbers of their words.
#[derive(Debug)]
pub(super) struct SymptomIndex {
    entries: Vec<SymptomEntry>,
    /// What each word tells that stands in an entry: the fewer have it, the more.
    weights: BTreeMap<u32, f64>,
}

#[derive(Debug)]
struct SymptomEntry {
    domain: Domain,
    /// Sorted.
    terms: Vec<u32>,
    /// Sorted.
    said: Vec<u32>,
}

/// What a question is read as.
#[derive(Debug, Default)]
pub(super) struct SymptomReading {
    /// The entries that have most of it, best first: domain, the numbers of its terms, and how much.
    pub(super) entries: Vec<(Domain, Vec<u32>, f64)>,
    by_domain: BTreeMap<Domain, f64>,
}

impl SymptomReading {
    /// How much of the question the entries of a domain have.
    pub(super) fn of_domain(&self, domain: Domain) -> f64 {
        self.by_domain.get(&domain).copied().unwrap_or_default()
    }
}

impl SymptomIndex {
    /// Numbers the words of all entries.
    pub(super) fn read_entries(reader: &mut VocabularyBuilder) -> Self {
        let mut sorted = |text: &str| -> Vec<u32> {
            let words: BTreeSet<u32> = reader.read_words(text).into_iter().collect();
            words.into_iter().collect()
        };
        let entries: Vec<SymptomEntry> = declared_symptoms()
            .iter()
            .map(|symptom| SymptomEntry {
                domain: symptom.domain,
                terms: sorted(&symptom.terms),
                said: sorted(&symptom.said),
            })
            .collect();
        let mut with = BTreeMap::<u32, u32>::new();
        for entry in &entries {
            let words: BTreeSet<u32> = entry.terms.iter().chain(&entry.said).copied().collect();
            words.into_iter().for_each(|word| *with.entry(word).or_default() += 1);
        }
        let all = entries.len() as f64;
        let weight = |with: u32| libm::log(1.0 + (all - f64::from(with) + 0.5) / (f64::from(with) + 0.5));
        Self { entries, weights: with.into_iter().map(|(word, with)| (word, weight(with))).collect() }
    }

    /// Domain, terms and everyday words of each entry.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Domain, &[u32], &[u32])> {
        self.entries.iter().map(|entry| (entry.domain, &*entry.terms, &*entry.said))
    }

    /// True for a word of any entry.
    pub(super) fn has_word(&self, word: u32) -> bool {
        self.weights.contains_key(&word)
    }

    /// The entries that a question's words point to.
    pub(super) fn read_question(&self, words: impl Iterator<Item = u32> + Clone) -> SymptomReading {
        let shared = |entry: &SymptomEntry| -> f64 {
            let weigh = |word: u32| {
                let weight = self.weights.get(&word).copied().unwrap_or_default();
                if entry.terms.binary_search(&word).is_ok() {
                    TERM * weight
                } else if entry.said.binary_search(&word).is_ok() {
                    weight
                } else {
                    0.0
                }
            };
            words.clone().map(weigh).sum()
        };
        let mut found: Vec<(f64, &SymptomEntry)> =
            self.entries.iter().map(|entry| (shared(entry), entry)).filter(|(shared, _)| *shared > 0.0).collect();
        // What is worth the same stays in the order of the tables.
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut by_domain, mut counted) = (BTreeMap::<Domain, f64>::new(), BTreeMap::<Domain, usize>::new());
        for (shared, entry) in &found {
            let counted = counted.entry(entry.domain).or_default();
            if let Some(share) = OF_DOMAIN.get(*counted) {
                *by_domain.entry(entry.domain).or_default() += share * shared;
                *counted += 1;
            }
        }
        let best = found.into_iter().take(READ_AS);
        SymptomReading {
            entries: best.map(|(shared, entry)| (entry.domain, entry.terms.clone(), shared)).collect(),
            by_domain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms;

    #[test]
    fn every_domain_has_its_entries() {
        let all = declared_symptoms();
        for domain in Domain::ALL {
            let of = all.iter().filter(|symptom| symptom.domain == domain);
            assert!(of.clone().count() >= 20, "{domain}");
            for symptom in of {
                let said: BTreeSet<String> = terms::term_sequence(&symptom.said).collect();
                assert!(said.len() >= 5, "{domain}: {}", symptom.terms);
            }
        }
    }

    #[test]
    fn everyday_words_point_to_a_matter_and_its_domain() {
        let mut reader = VocabularyBuilder::default();
        let index = SymptomIndex::read_entries(&mut reader);
        let reading = |text: &str, reader: &mut VocabularyBuilder| {
            let words = reader.read_words(text);
            let of = index.read_question(words.into_iter());
            let terms = of.entries.first().map(|(domain, terms, _)| (*domain, reader.spell_out(terms)));
            (terms, of)
        };
        let (best, of) = reading("memory climbs until the process is killed, restart every night", &mut reader);
        let (domain, terms) = best.unwrap();
        assert_eq!(domain, Domain::Performance);
        assert!(terms.contains("leak"), "{terms}");
        assert!(of.of_domain(Domain::Performance) > of.of_domain(Domain::Ux));
        assert!(of.entries.len() <= READ_AS && of.entries.is_sorted_by(|a, b| a.2 >= b.2));
        let (none, of) = reading("goulash", &mut reader);
        assert_eq!((none, of.of_domain(Domain::Ux)), (None, 0.0));
    }
}
