//! The files that a question finds: by its words, by its meaning, or by both.

use std::collections::BTreeMap;

use super::answer::Confidence;
use super::corpus::Experts;
use super::domain::Domain;
use super::file::Knowledge;
use super::index::{Hit, Match, Part, rank};
use super::vector::{Likeness, Meaning, Searched, Weights};
use tapps_base::Result;

/// Files that a search gives at most.
const MOST: usize = 10;
/// Score of a file at which `strength` is one half.
const HALF: f64 = 15.0;
/// What the meaning of the best file counts when vectors alone are compared.
const MEANING_ALONE: f64 = 0.75;

/// What a question found.
#[derive(Debug)]
pub(super) struct Found {
    /// Best first.
    pub(super) matches: Vec<Match>,
    pub(super) confidence: Confidence,
    /// How; none where nothing but words was asked for.
    pub(super) searched: Option<Searched>,
}

impl Experts {
    /// The files for a question. Words of `beside` help and need not be there; `domain` leaves other files out.
    ///
    /// # Errors
    /// `internal` when the search fails.
    pub(super) fn find(&self, question: &str, beside: &str, domain: Option<Domain>) -> Result<Found> {
        let by_words = self.index()?.find(question, beside, domain)?;
        let searched = self.search.status();
        let embedder = self.search.embedder().and_then(Result::ok);
        let (Some(Searched { mode, .. }), Some(embedder)) = (&searched, embedder) else {
            return Ok(Found::by_words(by_words, searched));
        };
        let meaning = self.meaning(embedder);
        let weights = Weights::of(*mode);
        let likenesses = meaning.ask(question, beside).unwrap_or_default();
        let of_domain = |file: &Knowledge| domain.is_none_or(|domain| file.domain() == domain);
        let near: BTreeMap<usize, Likeness> =
            likenesses.into_iter().enumerate().filter(|(at, _)| self.files.get(*at).is_some_and(of_domain)).collect();
        // What is no nearer than any stranger is not found.
        let meanings = near.iter().map(|(file, like)| (*file, meaning.meaning(like.value))).collect();
        let ranks = by_words.iter().map(|found| (found.hit.file, rank(&found.hit))).collect();
        let mut by_file: BTreeMap<usize, Match> = by_words.into_iter().map(|found| (found.hit.file, found)).collect();
        let matches: Vec<Match> = weights
            .fused(&ranks, &meanings)
            .into_iter()
            .take(MOST)
            .map(|(file, worth)| {
                let (hit, sections) = by_file
                    .remove(&file)
                    .map_or((Hit::without_words(file), Vec::new()), |found| (found.hit, found.sections));
                let like = near.get(&file);
                let hit = Hit { likeness: like.map(|like| like.value), ..hit };
                Match { hit, worth, sections: parts(&sections, like.map_or(&[], |like| &like.sections), weights) }
            })
            .collect();
        let confidence = Confidence::by_both(matches.first().map(|found| &found.hit), weights, meaning);
        Ok(Found { matches, confidence, searched })
    }
}

impl Found {
    fn by_words(mut matches: Vec<Match>, searched: Option<Searched>) -> Self {
        matches.truncate(MOST);
        let confidence = Confidence::by_words(matches.first().map(|found| &found.hit));
        Self { matches, confidence, searched }
    }
}

/// The sections of a file by their words and their vectors, best first.
fn parts(by_words: &[Part], cosines: &[f64], weights: Weights) -> Vec<Part> {
    let scores: BTreeMap<usize, f64> = by_words.iter().map(|part| (part.number, part.score)).collect();
    let worth = weights.fused(&scores, &cosines.iter().copied().enumerate().collect());
    let part = |(number, worth): (usize, f64)| Part {
        number,
        score: scores.get(&number).copied().unwrap_or_default(),
        likeness: cosines.get(number).copied(),
        worth,
    };
    worth.into_iter().map(part).collect()
}

impl Confidence {
    /// Judged by the words that the best file shares with the question.
    fn by_words(best: Option<&Hit>) -> Self {
        let Some(best) = best else {
            return Self { value: 0.0, coverage: 0.0, nearness: 0.0, strength: 0.0, meaning: None };
        };
        let strength = best.score.max(0.0) / (best.score.max(0.0) + HALF);
        let value = 0.5 * strength + 0.3 * best.coverage + 0.2 * best.nearness;
        let [value, coverage, nearness, strength] = [value, best.coverage, best.nearness, strength].map(rounded);
        Self { value, coverage, nearness, strength, meaning: None }
    }

    /// Judged also, or only, by the vectors of the best file.
    fn by_both(best: Option<&Hit>, weights: Weights, meaning: &Meaning) -> Self {
        let by_words = Self::by_words(best);
        let near = best.and_then(|hit| hit.likeness).map_or(0.0, |likeness| meaning.meaning(likeness).min(1.0));
        let value = if weights.words > 0.0 {
            weights.words * by_words.value + weights.vectors * near
        } else {
            MEANING_ALONE * near
        };
        Self { value: rounded(value), meaning: Some(rounded(near)), ..by_words }
    }
}

/// Three decimals, so that results are the same on every machine.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
