//! The files that a question finds: by its words, by its meaning, or by both.

use std::collections::BTreeMap;

use super::answer::Confidence;
use super::corpus::ExpertCorpus;
use super::domain::Domain;
use super::file::Knowledge;
use super::index::{FileHit, Match, SectionHit, rank_value};
use super::vector::{FusionWeights, Likeness, Searched, SemanticIndex};
use tapps_base::Result;

/// Files that a search gives at most.
const MOST: usize = 10;
/// Score of a file at which `strength` is one half.
const HALF: f64 = 15.0;
/// What the meaning of the best file counts when vectors alone are compared.
const MEANING_ALONE: f64 = 0.75;

/// What a question found.
#[derive(Debug)]
pub(super) struct SearchOutcome {
    /// Best first.
    pub(super) matches: Vec<Match>,
    pub(super) confidence: Confidence,
    /// How; none where nothing but words was asked for.
    pub(super) searched: Option<Searched>,
}

impl ExpertCorpus {
    /// The files for a question. Words of `beside` help and need not be there; `domain` leaves other files out.
    ///
    /// # Errors
    /// `internal` when the search fails.
    pub(super) fn find_files(&self, question: &str, beside: &str, domain: Option<Domain>) -> Result<SearchOutcome> {
        let by_words = self.index()?.find_matches(question, beside, domain)?;
        let searched = self.search.status();
        let embedder = self.search.embedder().and_then(Result::ok);
        let (Some(Searched { mode, .. }), Some(embedder)) = (&searched, embedder) else {
            return Ok(SearchOutcome::by_words(by_words, searched));
        };
        let meaning = self.semantic_index(embedder);
        let weights = FusionWeights::for_mode(*mode);
        let likenesses = meaning.similarities_to(question, beside).unwrap_or_default();
        let of_domain = |file: &Knowledge| domain.is_none_or(|domain| file.domain() == domain);
        let near: BTreeMap<usize, Likeness> =
            likenesses.into_iter().enumerate().filter(|(at, _)| self.files.get(*at).is_some_and(of_domain)).collect();
        // What is no nearer than any stranger is not found.
        let meanings = near.iter().map(|(file, like)| (*file, meaning.semantic_score(like.value))).collect();
        let ranks = by_words.iter().map(|found| (found.hit.file, rank_value(&found.hit))).collect();
        let mut by_file: BTreeMap<usize, Match> = by_words.into_iter().map(|found| (found.hit.file, found)).collect();
        let matches: Vec<Match> = weights
            .fuse_scores(&ranks, &meanings)
            .into_iter()
            .take(MOST)
            .map(|(file, worth)| {
                let (hit, sections) = by_file
                    .remove(&file)
                    .map_or((FileHit::without_words(file), Vec::new()), |found| (found.hit, found.sections));
                let like = near.get(&file);
                let hit = FileHit { likeness: like.map(|like| like.value), ..hit };
                Match {
                    hit,
                    worth,
                    sections: fuse_sections(&sections, like.map_or(&[], |like| &like.sections), weights),
                }
            })
            .collect();
        let confidence = Confidence::by_both(matches.first().map(|found| &found.hit), weights, meaning);
        Ok(SearchOutcome { matches, confidence, searched })
    }
}

impl SearchOutcome {
    fn by_words(mut matches: Vec<Match>, searched: Option<Searched>) -> Self {
        matches.truncate(MOST);
        let confidence = Confidence::by_words(matches.first().map(|found| &found.hit));
        Self { matches, confidence, searched }
    }
}

/// The sections of a file by their words and their vectors, best first.
fn fuse_sections(by_words: &[SectionHit], cosines: &[f64], weights: FusionWeights) -> Vec<SectionHit> {
    let scores: BTreeMap<usize, f64> = by_words.iter().map(|part| (part.number, part.score)).collect();
    let worth = weights.fuse_scores(&scores, &cosines.iter().copied().enumerate().collect());
    let part = |(number, worth): (usize, f64)| SectionHit {
        number,
        score: scores.get(&number).copied().unwrap_or_default(),
        likeness: cosines.get(number).copied(),
        worth,
    };
    worth.into_iter().map(part).collect()
}

impl Confidence {
    /// Judged by the words that the best file shares with the question.
    fn by_words(best: Option<&FileHit>) -> Self {
        let Some(best) = best else {
            return Self { value: 0.0, coverage: 0.0, nearness: 0.0, strength: 0.0, meaning: None };
        };
        let strength = best.score.max(0.0) / (best.score.max(0.0) + HALF);
        let value = 0.5 * strength + 0.3 * best.coverage + 0.2 * best.nearness;
        let [value, coverage, nearness, strength] =
            [value, best.coverage, best.nearness, strength].map(round_to_thousandths);
        Self { value, coverage, nearness, strength, meaning: None }
    }

    /// Judged also, or only, by the vectors of the best file.
    fn by_both(best: Option<&FileHit>, weights: FusionWeights, meaning: &SemanticIndex) -> Self {
        let by_words = Self::by_words(best);
        let near = best.and_then(|hit| hit.likeness).map_or(0.0, |likeness| meaning.semantic_score(likeness).min(1.0));
        let value = if weights.words > 0.0 {
            weights.words * by_words.value + weights.vectors * near
        } else {
            MEANING_ALONE * near
        };
        Self { value: round_to_thousandths(value), meaning: Some(round_to_thousandths(near)), ..by_words }
    }
}

/// Three decimals, so that results are the same on every machine.
pub(super) fn round_to_thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
