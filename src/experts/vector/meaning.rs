//! The vectors of all files, and how near a question lies to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::arithmetic::{add, dot, unit};
use super::embedder::Embedder;
use super::passages::Passages;
use crate::domain::Domain;
use crate::file::Knowledge;
use crate::symptoms::{Symptom, declared_symptoms};
use tapps_store::{EntryKey, EntryStore, KeyBuilder};

/// What entries are kept as.
const KIND: &str = "vectors";
/// What the words beside a question weigh against its own.
const BESIDE: f32 = 0.25;
/// What the cosines with the entries of a domain count, best first.
const OF_DOMAIN: [f64; 4] = [1.0, 0.5, 0.25, 0.25];
/// Least distance between strangers and kin that says anything about a model.
const LEAST: f64 = 0.02;

/// The vectors of a set of files by one model.
#[derive(Debug)]
pub(crate) struct SemanticIndex {
    embedder: Arc<dyn Embedder>,
    files: Vec<Passages>,
    /// Of each entry of everyday words.
    symptoms: Vec<(Domain, Vec<f32>)>,
    scale: Scale,
}

/// How near a question lies to everything.
#[derive(Debug)]
pub(crate) struct QuestionNearness {
    /// To each file, in their order.
    pub(crate) files: Vec<Likeness>,
    /// To the entries of each domain: the cosine of the nearest, half of the next, and a quarter of the two after it.
    pub(crate) domains: BTreeMap<Domain, f64>,
}

/// How near a question lies to a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Likeness {
    /// The mean of three cosines: with the nearest declared question, the nearest section, and the whole file.
    pub(crate) value: f64,
    /// The cosine with each section.
    pub(crate) sections: Vec<f64>,
}

/// What a model gives to strangers and to kin: models differ in how near they put things that have nothing in common.
#[derive(Debug, Clone, Copy)]
struct Scale {
    /// The mean likeness of declared questions to the files of others.
    strangers: f64,
    /// The mean likeness of declared questions to their own files, each left out of its file's questions.
    kin: f64,
}

impl SemanticIndex {
    /// Takes the vectors from the store, and computes and keeps those that are not there.
    pub(crate) fn from_files(files: &[Knowledge], embedder: Arc<dyn Embedder>, store: Option<&EntryStore>) -> Self {
        let keys: Vec<EntryKey> = files.iter().map(|file| key(file, &*embedder)).collect();
        let dimensions = embedder.model().dimensions;
        let kept = store.map_or_else(|| vec![None; keys.len()], |store| store.get(&keys));
        let found: Vec<(Passages, bool)> = files
            .par_iter()
            .zip(kept)
            .map(|(file, kept)| match kept.and_then(|bytes| Passages::from_bytes(&bytes, file, dimensions)) {
                Some(passages) => (passages, false),
                None => (Passages::embed_file(file, &*embedder), true),
            })
            .collect();
        if let Some(store) = store {
            let fresh = found.iter().zip(&keys).filter(|((_, fresh), _)| *fresh);
            let entries: Vec<(EntryKey, Vec<u8>)> =
                fresh.map(|((passages, _), key)| (*key, passages.to_bytes())).collect();
            store.put(KIND, &entries);
        }
        let files: Vec<Passages> = found.into_iter().map(|(passages, _)| passages).collect();
        let scale = Scale::fit_scale(&files);
        let symptoms = declared_symptoms().par_iter().map(|symptom| embed_symptom(symptom, &*embedder)).collect();
        Self { embedder, files, symptoms, scale }
    }

    /// How near each file and domain is to a question; words `beside` it count for less. None for a question that the model has no
    /// vector for.
    pub(crate) fn similarities_to(&self, question: &str, beside: &str) -> Option<QuestionNearness> {
        let mut asked = unit(self.embedder.sum(question));
        if asked.iter().all(|number| *number == 0.0) {
            return None;
        }
        if !beside.trim().is_empty() {
            add(&mut asked, &unit(self.embedder.sum(beside)), BESIDE);
            asked = unit(asked);
        }
        let mut cosines = BTreeMap::<Domain, Vec<f64>>::new();
        for (domain, vector) in &self.symptoms {
            cosines.entry(*domain).or_default().push(f64::from(dot(vector, &asked)));
        }
        let domains = cosines.into_iter().map(|(domain, mut of)| {
            of.sort_by(|a, b| b.total_cmp(a));
            (domain, of.iter().zip(OF_DOMAIN).map(|(cosine, share)| cosine * share).sum())
        });
        Some(QuestionNearness {
            files: self.files.par_iter().map(|file| passage_similarity(file, &asked, None)).collect(),
            domains: domains.collect(),
        })
    }

    /// Where a likeness lies between strangers (0) and kin (1); what is nearer than kin has more, so that it comes first.
    pub(crate) fn semantic_score(&self, likeness: f64) -> f64 {
        let Scale { strangers, kin } = self.scale;
        ((likeness - strangers) / (kin - strangers).max(LEAST)).max(0.0)
    }
}

/// The direction half way between the terms of an entry and what is said instead of them.
fn embed_symptom(symptom: &Symptom, embedder: &dyn Embedder) -> (Domain, Vec<f32>) {
    let mut both = unit(embedder.sum(&symptom.terms));
    add(&mut both, &unit(embedder.sum(&symptom.said)), 1.0);
    (symptom.domain, unit(both))
}

/// Everything that decides the vectors of a file, besides this program.
fn key(file: &Knowledge, embedder: &dyn Embedder) -> EntryKey {
    let model = embedder.model();
    KeyBuilder::new(KIND)
        .with_part(&model.sha256)
        .with_part(&model.tokenizer_sha256)
        .with_part(&file.sha256)
        .finish_key()
}

/// How near a vector is to a file, of whose questions one may be left out.
fn passage_similarity(file: &Passages, asked: &[f32], without: Option<usize>) -> Likeness {
    let cosine = |vector: &[f32]| f64::from(dot(vector, asked));
    let questions = file.questions().enumerate().filter(|(at, _)| without != Some(*at));
    let question = questions.map(|(_, vector)| cosine(vector)).reduce(f64::max);
    let sections: Vec<f64> = file.sections().map(cosine).collect();
    let section = sections.iter().copied().reduce(f64::max);
    // A file without declared questions is judged by what it has.
    let seen: Vec<f64> = [question, section, Some(cosine(file.whole_file_vector()))].into_iter().flatten().collect();
    Likeness { value: seen.iter().sum::<f64>() / seen.len().max(1) as f64, sections }
}

impl Scale {
    fn fit_scale(files: &[Passages]) -> Self {
        let asked: Vec<(f64, f64)> = files
            .par_iter()
            .enumerate()
            .filter(|(_, own)| own.questions().count() > 1)
            .filter_map(|(at, own)| {
                let question = own.questions().next()?;
                let others = files.iter().enumerate().filter(|(other, _)| *other != at);
                let all: Vec<f64> = others.map(|(_, other)| passage_similarity(other, question, None).value).collect();
                Some((mean(&all), passage_similarity(own, question, Some(0)).value))
            })
            .collect();
        let (strangers, kin): (Vec<f64>, Vec<f64>) = asked.into_iter().unzip();
        Self { strangers: mean(&strangers), kin: mean(&kin) }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(feature = "vector")]
#[cfg(test)]
mod tests {
    use super::super::model::tests::small_test_model;
    use super::*;
    use crate::file::KnowledgeOrigin;

    fn file(name: &str, tags: &str, questions: &str, text: &str) -> Knowledge {
        let text = format!(
            "---\ntitle: {name}\ndomain: database\ntags: [{tags}]\nquestions:\n{questions}reviewed: 2026-11-21\n---\n\
             ## Decision\n{text}\n## Example\n```text\nbread bread bread\n```\nsize\n"
        );
        Knowledge::parse_file(&format!("database/{name}"), &format!("{name}.md"), KnowledgeOrigin::BuiltIn, &text)
            .unwrap()
    }

    fn files() -> Vec<Knowledge> {
        vec![
            file("pools", "pool", "  - pool size\n  - pool\n", "pool size"),
            file("loaves", "bread", "  - bread\n  - bread bread\n", "bread"),
        ]
    }

    fn values(meaning: &SemanticIndex, question: &str, beside: &str) -> Vec<f64> {
        meaning
            .similarities_to(question, beside)
            .unwrap()
            .files
            .into_iter()
            .map(|like| (like.value * 1e3).round() / 1e3)
            .collect()
    }

    #[test]
    fn a_question_is_near_to_what_is_about_it() {
        let meaning = SemanticIndex::from_files(&files(), small_test_model(), None);
        assert_eq!(values(&meaning, "which size", ""), [1.0, 0.177]);
        // Examples in code are no prose: the second section of the first file has no bread in it.
        let likenesses = meaning.similarities_to("size", "").unwrap().files;
        assert_eq!(likenesses[0].sections, [1.0, 1.0]);
        assert!(values(&meaning, "size", "bread")[1] > values(&meaning, "size", "")[1]);
        assert!(meaning.similarities_to("sourdough", "").is_none());
        assert!(meaning.similarities_to("sourdough", "pool").is_none());
    }

    #[test]
    fn strangers_have_no_meaning_and_kin_all_of_it() {
        let meaning = SemanticIndex::from_files(&files(), small_test_model(), None);
        let Scale { strangers, kin } = meaning.scale;
        assert!(strangers < 0.4 && kin > 0.9, "{strangers} {kin}");
        assert_eq!(
            (meaning.semantic_score(strangers), meaning.semantic_score(kin), meaning.semantic_score(-1.0)),
            (0.0, 1.0, 0.0)
        );
        let (low, high) = (meaning.semantic_score(strangers + 0.1), meaning.semantic_score(strangers + 0.2));
        assert!(0.0 < low && low < high && high < 1.0, "{low} {high}");
        assert!(meaning.semantic_score(kin + 0.1) > 1.0);
    }

    #[test]
    fn kept_vectors_are_those_that_were_computed() {
        let folder = tempfile::tempdir().unwrap();
        let store = EntryStore::new(folder.path(), 1 << 20);
        let files = files();
        let fresh = SemanticIndex::from_files(&files, small_test_model(), Some(&store));
        assert_eq!(store.summary().unwrap().kinds[KIND].0, 2);
        let kept = SemanticIndex::from_files(&files, small_test_model(), Some(&store));
        assert_eq!(kept.files, fresh.files);
        assert_eq!(store.use_counts(), (4, 2));
        let bytes = fresh.files[0].to_bytes();
        assert_eq!(Passages::from_bytes(&bytes, &files[0], 2), Some(fresh.files[0].clone()));
        assert_eq!(Passages::from_bytes(&bytes, &files[0], 3), None);
        assert_eq!(Passages::from_bytes(&bytes[1..], &files[0], 2), None);
    }
}
