//! The search: full-text over files and their sections, in memory, ranked by BM25 with weights for the fields.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use rusqlite::{Connection, params};

use super::domain::Domain;
use super::file::Knowledge;
use super::terms;
use crate::base::{Error, Result};

/// Weights of title, questions, tags, headings and body of a file. Declared questions say best what a file answers.
const FILE_WEIGHTS: &str = "5.0, 6.0, 4.0, 1.5, 1.0";
/// Weights of heading and text of a section.
const SECTION_WEIGHTS: &str = "2.0, 1.0";
/// Files that a search gives at most.
const MOST: usize = 10;

/// What is known of one file for judging a match.
#[derive(Debug)]
struct Words {
    /// In title, questions or tags.
    strong: BTreeSet<String>,
    /// Anywhere.
    all: BTreeSet<String>,
    questions: Vec<BTreeSet<String>>,
}

/// The index of a set of files.
#[derive(Debug)]
pub(super) struct Index {
    connection: Mutex<Connection>,
    words: Vec<Words>,
    /// In how many files each word stands.
    files_with: BTreeMap<String, u32>,
}

/// A file that matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Position of the file.
    pub(super) file: usize,
    /// BM25, positive, higher is better.
    pub score: f64,
    /// The share of what the question's words weigh that the file has, 0 to 1; a word found only in the body counts
    /// half.
    pub coverage: f64,
    /// How near the nearest declared question is, 0 to 1.
    pub nearness: f64,
}

impl Index {
    /// Reads the files into an index.
    ///
    /// # Errors
    /// `internal` when SQLite cannot be used.
    pub(super) fn of(files: &[Knowledge]) -> Result<Self> {
        let connection = fill(files).map_err(|error| Error::internal(format!("no index of knowledge: {error}")))?;
        let words: Vec<Words> = files.iter().map(words).collect();
        let mut files_with = BTreeMap::new();
        for word in words.iter().flat_map(|words| &words.all) {
            *files_with.entry(word.clone()).or_insert(0) += 1;
        }
        Ok(Self { connection: Mutex::new(connection), words, files_with })
    }

    /// The files that match best, best first; `domain` leaves the others out. `beside` are words that help and need not
    /// be there.
    ///
    /// # Errors
    /// `internal` when the search fails.
    pub(super) fn files(&self, question: &[String], beside: &[String], domain: Option<Domain>) -> Result<Vec<Hit>> {
        let Some(expression) = expression(question.iter().chain(beside)) else { return Ok(Vec::new()) };
        let found = self.ask(
            &format!(
                "SELECT rowid, -bm25(file, {FILE_WEIGHTS}, 0.0) AS score FROM file WHERE file MATCH ?1 \
                 AND (?2 IS NULL OR domain = ?2) ORDER BY score DESC, rowid LIMIT 40"
            ),
            &expression,
            domain.map(Domain::as_str),
        )?;
        let mut hits: Vec<Hit> = found.into_iter().map(|(file, score)| self.judge(question, file, score)).collect();
        // A file that lacks what the question is about is not the best, however often it has the rest.
        hits.sort_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.file.cmp(&b.file)));
        hits.truncate(MOST);
        Ok(hits)
    }

    /// The sections of one file by how well they match, best first, with their scores.
    ///
    /// # Errors
    /// `internal` when the search fails.
    pub(super) fn sections(&self, question: &[String], file: usize) -> Result<Vec<(usize, f64)>> {
        let Some(expression) = expression(question.iter()) else { return Ok(Vec::new()) };
        let found = self.ask(
            &format!(
                "SELECT number, -bm25(section, {SECTION_WEIGHTS}, 0.0, 0.0) AS score FROM section \
                 WHERE section MATCH ?1 AND file = ?2 ORDER BY score DESC, number"
            ),
            &expression,
            i64::try_from(file).ok(),
        )?;
        Ok(found)
    }

    fn ask(&self, sql: &str, expression: &str, more: impl rusqlite::ToSql) -> Result<Vec<(usize, f64)>> {
        let connection = self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = || -> rusqlite::Result<Vec<(usize, f64)>> {
            let mut query = connection.prepare_cached(sql)?;
            let rows = query.query_map(params![expression, more], |row| {
                Ok((usize::try_from(row.get::<_, i64>(0)?).unwrap_or(usize::MAX), row.get(1)?))
            })?;
            rows.collect()
        };
        found().map_err(|error| Error::internal(format!("the search in the knowledge failed: {error}")))
    }

    fn judge(&self, question: &[String], file: usize, score: f64) -> Hit {
        let Some(words) = self.words.get(file) else { return Hit { file, score, coverage: 0.0, nearness: 0.0 } };
        let (mut has, mut asked) = (0.0, 0.0);
        for word in question {
            let weight = self.weight(word);
            asked += weight;
            has += match (words.strong.contains(word), words.all.contains(word)) {
                (true, _) => weight,
                (false, true) => weight / 2.0,
                (false, false) => 0.0,
            };
        }
        let nearness = words.questions.iter().map(|declared| self.likeness(question, declared)).fold(0.0, f64::max);
        Hit { file, score, coverage: if asked > 0.0 { has / asked } else { 0.0 }, nearness }
    }

    /// What a word tells: the rarer the more. One that no file has tells as much as the rarest.
    fn weight(&self, word: &str) -> f64 {
        let files = self.words.len() as f64;
        let with = f64::from(self.files_with.get(word).copied().unwrap_or(0));
        (1.0 + (files - with + 0.5) / (with + 0.5)).ln()
    }

    /// The weight of common words over that of all words of both.
    fn likeness(&self, question: &[String], declared: &BTreeSet<String>) -> f64 {
        let asked: BTreeSet<&String> = question.iter().collect();
        let sum = |words: Vec<&String>| words.into_iter().map(|word| self.weight(word)).sum::<f64>();
        let common = sum(declared.iter().filter(|word| asked.contains(word)).collect());
        let all = sum(declared.iter().chain(question.iter().filter(|word| !declared.contains(*word))).collect());
        if all > 0.0 { common / all } else { 0.0 }
    }
}

/// What files are ordered by: BM25, raised by coverage and by nearness to a declared question.
fn rank(hit: &Hit) -> f64 {
    hit.score * (0.4 + 0.6 * hit.coverage) * (1.0 + hit.nearness)
}

fn words(file: &Knowledge) -> Words {
    let questions: Vec<BTreeSet<String>> =
        file.questions().iter().map(|question| terms::of(question).into_iter().collect()).collect();
    let mut strong: BTreeSet<String> = questions.iter().flatten().cloned().collect();
    strong.extend(terms::of(file.title()));
    strong.extend(file.front.tags.iter().chain(file.applies_to()).flat_map(|tag| terms::of(tag)));
    strong.extend(terms::of(&file.name));
    let mut all = strong.clone();
    all.extend(terms::of(&file.text));
    Words { strong, all, questions }
}

fn fill(files: &[Knowledge]) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    // Words are stemmed before they come here; `C#` and `N+1` are words.
    connection.execute_batch(
        "CREATE VIRTUAL TABLE file USING fts5(title, questions, tags, headings, body, domain UNINDEXED,
             content='', columnsize=1, contentless_unindexed=1, tokenize=\"unicode61 tokenchars '-_+#'\");
         CREATE VIRTUAL TABLE section USING fts5(heading, body, file UNINDEXED, number UNINDEXED,
             content='', contentless_unindexed=1, tokenize=\"unicode61 tokenchars '-_+#'\");",
    )?;
    let transaction = connection.transaction()?;
    {
        let mut file_row = transaction.prepare(
            "INSERT INTO file (rowid, title, questions, tags, headings, body, domain) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        let mut section_row =
            transaction.prepare("INSERT INTO section (heading, body, file, number) VALUES (?1, ?2, ?3, ?4)")?;
        for (number, file) in files.iter().enumerate() {
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            let headings: Vec<&str> = file.sections.iter().map(|section| section.heading.as_str()).collect();
            let body: String = file.sections.iter().map(|section| section.text.as_str()).collect();
            file_row.execute(params![
                number,
                terms::all(&format!("{} {}", file.title(), file.name)),
                terms::all(&file.questions().join(" ")),
                terms::all(&[&file.front.tags[..], file.applies_to()].concat().join(" ")),
                terms::all(&headings.join(" ")),
                terms::all(&body),
                file.domain().as_str(),
            ])?;
            for (at, section) in file.sections.iter().enumerate() {
                let at = i64::try_from(at).unwrap_or(i64::MAX);
                section_row.execute(params![terms::all(&section.heading), terms::all(&section.text), number, at])?;
            }
        }
    }
    transaction.commit()?;
    Ok(connection)
}

/// Any of the words, each quoted: nothing in a question is an operator.
fn expression<'a>(words: impl Iterator<Item = &'a String>) -> Option<String> {
    let quoted: Vec<String> = words.map(|word| format!("\"{}\"", word.replace('"', ""))).collect();
    (!quoted.is_empty()).then(|| quoted.join(" OR "))
}
