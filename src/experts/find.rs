//! The files that a question finds: by its words, by its meaning, or by both.

use std::collections::BTreeMap;

use super::answer::Confidence;
use super::corpus::ExpertCorpus;
use super::domain::Domain;
use super::file::Knowledge;
use super::index::{FileHit, Match, SectionHit, WordMatches, relative_worth};
use super::vector::{FusionWeights, Searched};
use tapps_base::Result;
use tapps_config::SearchMode;

/// Files that a search gives at most.
const MOST: usize = 10;
/// Score of a file at which `strength` is one half.
const HALF: f64 = 25.0;

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
            return Ok(SearchOutcome::by_words(by_words, domain, searched));
        };
        let meaning = self.semantic_index(embedder);
        let weights = FusionWeights::for_mode(*mode);
        let Some(near) = meaning.similarities_to(question, beside) else {
            return Ok(SearchOutcome::by_words(by_words, domain, searched));
        };
        let WordMatches { matches, odds } = by_words;
        let mut by_file: BTreeMap<usize, Match> = matches.into_iter().map(|found| (found.hit.file, found)).collect();
        let of_domain = |file: &Knowledge| domain.is_none_or(|domain| file.domain() == domain);
        let mut matches: Vec<(f64, Match)> = self
            .files
            .iter()
            .zip(near.files)
            .enumerate()
            .filter(|(_, (file, _))| of_domain(file))
            .map(|(at, (file, like))| {
                let (hit, sections) = by_file
                    .remove(&at)
                    .map_or((FileHit::without_words(at), Vec::new()), |found| (found.hit, found.sections));
                let domain = near.domains.get(&file.domain()).copied().unwrap_or_default();
                let points = weights.join_points(hit.score, like.value, domain);
                let hit = FileHit { likeness: Some(like.value), ..hit };
                (points, Match { hit, worth: 0.0, sections: fuse_sections(&sections, &like.sections, weights) })
            })
            .collect();
        matches.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.hit.file.cmp(&b.1.hit.file)));
        matches.truncate(MOST);
        let best = matches.first().map_or(0.0, |(points, _)| *points);
        let confidence = matches.first().map(|(points, found)| {
            let value = weights.confidence(*points, odds, domain.is_some());
            let near = meaning.semantic_score(found.hit.likeness.unwrap_or_default()).min(1.0);
            Confidence { meaning: Some(round_to_thousandths(near)), ..Confidence::of_hit(&found.hit, value) }
        });
        let matches = matches.into_iter().map(|(points, found)| Match { worth: relative_worth(points, best), ..found });
        Ok(SearchOutcome { matches: matches.collect(), confidence: confidence.unwrap_or(Confidence::NONE), searched })
    }
}

impl SearchOutcome {
    fn by_words(found: WordMatches, domain: Option<Domain>, searched: Option<Searched>) -> Self {
        let WordMatches { mut matches, odds } = found;
        matches.truncate(MOST);
        let weights = FusionWeights::for_mode(SearchMode::Lexical);
        let confidence = matches.first().map(|found| {
            let value = weights.confidence(found.hit.score, odds, domain.is_some());
            Confidence::of_hit(&found.hit, value)
        });
        Self { matches, confidence: confidence.unwrap_or(Confidence::NONE), searched }
    }
}

/// The sections of a file by their words and their vectors, best first; one that nothing speaks for comes last, with its cosine.
fn fuse_sections(by_words: &[SectionHit], cosines: &[f64], weights: FusionWeights) -> Vec<SectionHit> {
    let scores: BTreeMap<usize, f64> = by_words.iter().map(|part| (part.number, part.score)).collect();
    let mut worth = weights.fuse_scores(&scores, &cosines.iter().copied().enumerate().collect());
    let rest: Vec<usize> = (0..cosines.len()).filter(|number| worth.iter().all(|(found, _)| found != number)).collect();
    worth.extend(rest.into_iter().map(|number| (number, 0.0)));
    let part = |(number, worth): (usize, f64)| SectionHit {
        number,
        score: scores.get(&number).copied().unwrap_or_default(),
        likeness: cosines.get(number).copied(),
        worth,
    };
    worth.into_iter().map(part).collect()
}

impl Confidence {
    /// Of a question that nothing has a word of.
    const NONE: Self = Self { value: 0.0, coverage: 0.0, nearness: 0.0, strength: 0.0, meaning: None };

    fn of_hit(best: &FileHit, value: f64) -> Self {
        let strength = best.score.max(0.0) / (best.score.max(0.0) + HALF);
        let [value, coverage, nearness, strength] =
            [value, best.coverage, best.nearness, strength].map(round_to_thousandths);
        Self { value, coverage, nearness, strength, meaning: None }
    }
}

/// Three decimals, so that results are the same on every machine.
pub(super) fn round_to_thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
