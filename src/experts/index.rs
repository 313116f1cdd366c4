//! The search: full-text over sections and declared questions, in memory, by BM25, and the likelihood of words in files.

use std::collections::BTreeMap;
use std::sync::Mutex;

use rusqlite::{Connection, Row, params};

use super::domain::Domain;
use super::evidence::{
    CoverEvidence, DomainWords, WordEvidence, domain_chances, domain_evidence, share_of_terms, symptom_evidence,
};
use super::excerpt::WantedWords;
use super::file::Knowledge;
use super::likelihood::{LentWords, WordLikelihood};
use super::symptoms::SymptomIndex;
use super::terms;
use super::vector::WordOdds;
use super::vocabulary::{Vocabulary, VocabularyBuilder};
use super::words::{Fields, Query, Words};
use tapps_base::{Error, Result};

/// Weights of heading and text of a section.
const SECTION_WEIGHTS: &str = "2.0, 1.0";

/// The index of a set of files.
#[derive(Debug)]
pub(super) struct KnowledgeIndex {
    connection: Mutex<Connection>,
    /// Of each file, as its words.
    domains: Vec<Domain>,
    words: Vec<Words>,
    vocabulary: Vocabulary,
    symptoms: SymptomIndex,
    domain_words: DomainWords,
    likelihood: WordLikelihood,
}

/// The files that match, and how much of the question is known at all.
#[derive(Debug, Default)]
pub(super) struct WordMatches {
    /// Best first.
    pub(super) matches: Vec<Match>,
    pub(super) odds: WordOdds,
}

/// A file that matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileHit {
    /// Position of the file.
    pub(super) file: usize,
    /// What speaks for the file, in points: the likelihood of the words, BM25 of its best section and its nearest question,
    /// the everyday words that stand for its terms, and the words of its domain; higher is better.
    pub score: f64,
    /// The share of what the question's words weigh that the file has, 0 to 1; a word found only in the body counts
    /// half.
    pub coverage: f64,
    /// How near the nearest declared question is, 0 to 1.
    pub nearness: f64,
    /// The mean of the cosines with the nearest declared question, the nearest section and the whole file, where vectors
    /// were compared.
    pub likeness: Option<f64>,
}

/// A file that matches, and its sections that do.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) hit: FileHit,
    /// What the file is worth beside others.
    pub(super) worth: f64,
    pub(super) sections: Vec<SectionHit>,
}

/// A section that matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SectionHit {
    /// Position in the file.
    pub(super) number: usize,
    /// BM25; higher is better.
    pub(super) score: f64,
    /// The cosine with the question, where vectors were compared.
    pub(super) likeness: Option<f64>,
    /// What the section is worth beside others.
    pub(super) worth: f64,
}

impl SectionHit {
    /// A section that is judged by its words.
    pub(super) const fn by_words(number: usize, score: f64) -> Self {
        Self { number, score, likeness: None, worth: score }
    }
}

impl FileHit {
    /// A file that no word of the question is in.
    pub(super) const fn without_words(file: usize) -> Self {
        Self { file, score: 0.0, coverage: 0.0, nearness: 0.0, likeness: None }
    }
}

impl KnowledgeIndex {
    /// Reads the files into an index.
    ///
    /// # Errors
    /// `internal` when SQLite cannot be used.
    pub(super) fn from_files(files: &[Knowledge]) -> Result<Self> {
        let mut reader = VocabularyBuilder::default();
        let (words, fields): (Vec<Words>, Vec<Fields>) =
            files.iter().map(|file| Words::read_file(file, &mut reader)).unzip();
        let symptoms = SymptomIndex::read_entries(&mut reader);
        let connection = fill_database(&fields, &reader)
            .map_err(|error| Error::internal(format!("no index of knowledge: {error}")))?;
        let mut files_with = BTreeMap::<u32, u32>::new();
        for word in words.iter().flat_map(Words::all) {
            *files_with.entry(*word).or_default() += 1;
        }
        let vocabulary = reader.into_vocabulary(files.len(), |word| files_with.get(&word).copied().unwrap_or(0));
        let domains: Vec<Domain> = files.iter().map(Knowledge::domain).collect();
        let domain_words = DomainWords::count_words(domains.iter().copied().zip(&words));
        let lent = symptoms.entries().map(|(domain, terms, said)| {
            let of_domain = domains.iter().zip(&words).enumerate().filter(|(_, (of, _))| **of == domain);
            let share = |(file, (_, words))| (file, share_of_terms(terms, words, &vocabulary));
            LentWords { said, files: of_domain.map(share).collect() }
        });
        let likelihood = WordLikelihood::count_words(domains.iter().copied().zip(&fields), lent);
        let connection = Mutex::new(connection);
        Ok(Self { connection, domains, words, vocabulary, symptoms, domain_words, likelihood })
    }

    /// The files that match, best first; `domain` leaves the others out. Words of `beside` help and need not be there.
    ///
    /// # Errors
    /// `internal` when the search fails.
    pub(super) fn find_matches(&self, question: &str, beside: &str, domain: Option<Domain>) -> Result<WordMatches> {
        let query = Query::parse_question(terms::term_sequence(question), &self.vocabulary);
        let beside = Query::parse_question(terms::term_sequence(beside), &self.vocabulary);
        if query.words.is_empty() && beside.words.is_empty() {
            return Ok(WordMatches::default());
        }
        let likelihood = self.likelihood.log_ratios(query.known_words(), &self.domains);
        let beside = self.likelihood.log_ratios(beside.known_words(), &self.domains);
        let mut sections = self.sections(&query)?;
        let questions = self.best_questions(&query)?;
        let reading = self.symptoms.read_question(query.known_words());
        let odds = self.domain_words.log_odds(&query);
        let mut matches = Vec::new();
        let files = self.domains.iter().zip(&self.words).zip(likelihood).zip(beside).enumerate();
        for (file, (((of, words), likelihood), beside)) in
            files.filter(|(_, (((of, _), _), _))| domain.is_none_or(|domain| domain == **of))
        {
            let sections = sections.remove(&file).unwrap_or_default();
            let found = WordEvidence {
                section: sections.first().map_or(0.0, |section| section.score),
                question: questions.get(&file).copied().unwrap_or_default(),
                pairs: words.shared_pair_weight(&query, &self.vocabulary),
                coverage: words.coverage(&query, &self.vocabulary),
                likelihood,
                beside,
            };
            let symptom = symptom_evidence(&reading, *of, words, &self.vocabulary);
            if found.coverage <= 0.0 && symptom <= 0.0 && beside <= 0.0 {
                continue;
            }
            let hit = FileHit {
                file,
                score: found.total() + symptom + domain_evidence(*of, &reading, &odds),
                coverage: found.coverage,
                nearness: words.nearness(&query, &self.vocabulary),
                likeness: None,
            };
            matches.push(Match { hit, worth: 0.0, sections });
        }
        if domain.is_none() {
            let of = |found: &Match| Some((*self.domains.get(found.hit.file)?, found.hit.score));
            let added = domain_chances(&matches.iter().filter_map(of).collect::<Vec<_>>());
            for found in &mut matches {
                let of = self.domains.get(found.hit.file).and_then(|domain| added.get(domain));
                found.hit.score += of.copied().unwrap_or_default();
            }
        }
        matches.sort_by(|a, b| b.hit.score.total_cmp(&a.hit.score).then(a.hit.file.cmp(&b.hit.file)));
        let best = matches.first().map_or(0.0, |found| found.hit.score);
        matches.iter_mut().for_each(|found| found.worth = relative_worth(found.hit.score, best));
        let spoken = |number: Option<u32>| number.is_some_and(|number| self.symptoms.has_word(number));
        let unknown = query.share_of_words(|number| number.is_none());
        let everyday = query.share_of_words(spoken);
        let covered = matches.first().and_then(|Match { hit, sections, .. }| {
            let (of, words) = (self.domains.get(hit.file)?, self.words.get(hit.file)?);
            let words = WordEvidence {
                section: sections.first().map_or(0.0, |section| section.score),
                pairs: words.shared_pair_weight(&query, &self.vocabulary),
                coverage: hit.coverage,
                ..WordEvidence::default()
            };
            let domain = odds.get(of).copied().unwrap_or_default();
            let asked = query.words.len();
            Some(CoverEvidence { words, reading: reading.of_domain(*of), domain, asked, unknown, everyday }.log_odds())
        });
        let odds = WordOdds { covered: covered.unwrap_or(f64::NEG_INFINITY), unknown, everyday };
        Ok(WordMatches { matches, odds })
    }

    /// What a passage is wanted to have that answers a question.
    pub(super) fn wanted_words(&self, question: &str) -> WantedWords {
        let query = Query::parse_question(terms::term_sequence(question), &self.vocabulary);
        let weight = |word: &String| self.vocabulary.weight(self.vocabulary.number(word));
        // A term of several entries counts as in the one that has most of the question.
        let mut terms = BTreeMap::<u32, f64>::new();
        for (_, of_entry, shared) in self.symptoms.read_question(query.known_words()).entries {
            of_entry.into_iter().for_each(|term| {
                terms.entry(term).and_modify(|weight| *weight = weight.max(shared)).or_insert(shared);
            });
        }
        WantedWords {
            asked: query.words.iter().map(|word| (word.clone(), weight(word))).collect(),
            read_as: self.vocabulary.words_of(&terms),
        }
    }

    /// BM25 of the nearest declared question of each file that has one.
    fn best_questions(&self, query: &Query) -> Result<BTreeMap<usize, f64>> {
        let mut best = BTreeMap::<usize, f64>::new();
        let Some(expression) = fts_expression(query.words.iter()) else { return Ok(best) };
        let found = self.query_rows(
            "SELECT file, -bm25(question, 1.0, 0.0) FROM question WHERE question MATCH ?1",
            params![expression],
            |row| Ok((column_as_usize(row, 0)?, row.get::<_, f64>(1)?)),
        )?;
        for (file, score) in found {
            let kept = best.entry(file).or_default();
            *kept = kept.max(score);
        }
        Ok(best)
    }

    /// The sections that match, by file, best first.
    fn sections(&self, query: &Query) -> Result<BTreeMap<usize, Vec<SectionHit>>> {
        let mut by_file = BTreeMap::<usize, Vec<SectionHit>>::new();
        let Some(expression) = fts_expression(query.words.iter()) else { return Ok(by_file) };
        let found = self.query_rows(
            &format!(
                "SELECT file, number, -bm25(section, {SECTION_WEIGHTS}, 0.0, 0.0) AS score FROM section \
                 WHERE section MATCH ?1 ORDER BY score DESC, rowid"
            ),
            params![expression],
            |row| Ok((column_as_usize(row, 0)?, column_as_usize(row, 1)?, row.get::<_, f64>(2)?)),
        )?;
        for (file, section, score) in found {
            by_file.entry(file).or_default().push(SectionHit::by_words(section, score));
        }
        Ok(by_file)
    }

    fn query_rows<T>(
        &self,
        sql: &str,
        given: &[&dyn rusqlite::ToSql],
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let connection = self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = || connection.prepare_cached(sql)?.query_map(given, read)?.collect::<rusqlite::Result<Vec<T>>>();
        found().map_err(|error| Error::internal(format!("the search in the knowledge failed: {error}")))
    }
}

fn column_as_usize(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or(usize::MAX))
}

/// Points of score by which the chance of a file to be the right one falls to 1/e.
const SCALE: f64 = 14.0;

/// The chance of a file to be the right one as a share of that of the best.
pub(super) fn relative_worth(score: f64, best: f64) -> f64 {
    libm::exp((score - best) / SCALE)
}

fn fill_database(fields: &[Fields], reader: &VocabularyBuilder) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    // Words are stemmed before they come here; `C#` and `N+1` are words.
    connection.execute_batch(
        "CREATE VIRTUAL TABLE section USING fts5(heading, body, file UNINDEXED, number UNINDEXED,
             content='', contentless_unindexed=1, tokenize=\"unicode61 tokenchars '-_+#'\");
         CREATE VIRTUAL TABLE question USING fts5(body, file UNINDEXED,
             content='', contentless_unindexed=1, tokenize=\"unicode61 tokenchars '-_+#'\");",
    )?;
    let transaction = connection.transaction()?;
    {
        let mut section_row =
            transaction.prepare("INSERT INTO section (heading, body, file, number) VALUES (?1, ?2, ?3, ?4)")?;
        let mut question_row = transaction.prepare("INSERT INTO question (body, file) VALUES (?1, ?2)")?;
        for (number, fields) in fields.iter().enumerate() {
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            for question in &fields.questions {
                question_row.execute(params![reader.spell_out(question), number])?;
            }
            for (at, (heading, text)) in fields.sections.iter().enumerate() {
                let at = i64::try_from(at).unwrap_or(i64::MAX);
                section_row.execute(params![reader.spell_out(heading), reader.spell_out(text), number, at])?;
            }
        }
    }
    transaction.commit()?;
    Ok(connection)
}

/// Any of the words, each quoted: nothing in a question is an operator.
fn fts_expression<'a>(words: impl Iterator<Item = &'a String>) -> Option<String> {
    let quoted: Vec<String> = words.map(|word| format!("\"{}\"", word.replace('"', ""))).collect();
    (!quoted.is_empty()).then(|| quoted.join(" OR "))
}
