//! Questions to the experts: what was asked, which files answered, how sure that was, and what became of it.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call_log::CallLog;
use super::feedback::{FeedbackVerdict, NewFeedback, Outcomes};
use tapps_base::{Error, Result};
use tapps_injection::redact::redact_text;
use tapps_security::redact;

/// Most consultations that are remembered; the oldest make room.
const REMEMBERED: i64 = 5_000;
/// Characters of a question that are kept.
const KEPT_CHARACTERS: usize = 500;
/// Questions without an answer that statistics name.
const NAMED: i64 = 10;

/// The tool that is consulted.
pub const CONSULT: &str = "tapps_consult_expert";

/// One question with its answer. The same question again takes the place of the earlier one and is counted.
#[derive(Debug, Clone, Copy)]
pub struct NewConsultation<'a> {
    /// The same for the same question, domain and context.
    pub id: &'a str,
    pub session: Option<&'a str>,
    pub question: &'a str,
    /// The domain of the answer, or the nearest.
    pub domain: Option<&'a str>,
    /// The chance that the question is covered, 0 to 1.
    pub confidence: f64,
    /// The files that answered, `<domain>/<topic>`, best first; none where the question was declined.
    pub files: &'a [String],
}

/// What all consultations come to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsultationSummary {
    /// Questions that were asked, each as often as it was.
    pub asked: u64,
    /// Of them, those that no file covered.
    pub declined: u64,
    /// Answers by domain.
    pub domains: BTreeMap<String, u64>,
    /// What was said of answers.
    pub outcomes: Outcomes,
    /// The latest questions that no file covered, most asked first: what the project's own knowledge lacks.
    pub uncovered: Vec<UncoveredQuestion>,
}

/// A question that no file covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UncoveredQuestion {
    pub question: String,
    pub asked: u64,
}

impl CallLog {
    /// Writes down that a question was asked. Secrets and personal data in it are not kept.
    ///
    /// # Errors
    /// As [`CallLog::begin`].
    pub fn record_consultation(&self, asked: &NewConsultation<'_>) -> Result<()> {
        let question: String = redact_text(asked.question, redact).chars().take(KEPT_CHARACTERS).collect();
        let (files, now) = (asked.files.join("\n"), self.now_ms());
        self.write_database(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute(
                "INSERT INTO consultations (id, at_ms, session, question, domain, confidence, files, times)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1)
                 ON CONFLICT (id) DO UPDATE SET at_ms = ?2, session = ?3, domain = ?5, confidence = ?6, files = ?7,
                     times = times + 1",
                params![asked.id, now, asked.session, question, asked.domain, asked.confidence, files],
            )?;
            transaction.execute(
                "DELETE FROM consultations WHERE id IN
                 (SELECT id FROM consultations ORDER BY at_ms DESC, id LIMIT -1 OFFSET ?1)",
                [REMEMBERED],
            )?;
            transaction.commit()
        })
    }

    /// Writes down what became of an answer.
    ///
    /// # Errors
    /// `invalid_argument` for a consultation that is not remembered; otherwise as [`CallLog::give_feedback`].
    pub fn judge_consultation(&self, id: &str, given: &NewFeedback<'_>) -> Result<()> {
        let known = self.read_database(|connection| {
            connection.query_row("SELECT 1 FROM consultations WHERE id = ?1", [id], |_| Ok(())).optional()
        })?;
        if known.flatten().is_none() {
            let told = tapps_base::log_text(id);
            return Err(Error::invalid(format!("no consultation `{told}` is remembered"))
                .hint(format!("pass the `consultation` of a reply of {CONSULT}")));
        }
        self.give_feedback(&NewFeedback { tool: Some(CONSULT), consultation: Some(id), ..*given })
    }

    /// What was said of the answers of each file, by its name.
    ///
    /// # Errors
    /// As [`CallLog::begin`].
    pub fn outcomes_by_expert_file(&self) -> Result<BTreeMap<String, Outcomes>> {
        Ok(self.read_database(|connection| load_outcomes_by_file(connection))?.unwrap_or_default())
    }

    /// What the consultations of a session, or of all, come to.
    ///
    /// # Errors
    /// As [`CallLog::begin`].
    pub(super) fn summarize_consultations(&self, session: Option<&str>) -> Result<ConsultationSummary> {
        Ok(self.read_database(|connection| load_summary(connection, session))?.unwrap_or_default())
    }
}

/// The verdict on each judged consultation, with the file that answered first.
const JUDGED: &str = "SELECT feedback.verdict, consultations.files, consultations.session
    FROM feedback JOIN consultations ON feedback.consultation = consultations.id ORDER BY consultations.id";

fn load_outcomes_by_file(connection: &Connection) -> rusqlite::Result<BTreeMap<String, Outcomes>> {
    let mut outcomes: BTreeMap<String, Outcomes> = BTreeMap::new();
    let mut query = connection.prepare_cached(JUDGED)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (word, files): (String, String) = (row.get(0)?, row.get(1)?);
        let (Some(verdict), Some(best)) = (FeedbackVerdict::from_word(&word), files.lines().next()) else { continue };
        outcomes.entry(best.to_owned()).or_default().add(verdict.speaks_for());
    }
    Ok(outcomes)
}

fn load_summary(connection: &Connection, session: Option<&str>) -> rusqlite::Result<ConsultationSummary> {
    let mut summary = ConsultationSummary::default();
    let mut query = connection.prepare_cached(
        "SELECT domain, files = '', sum(times) FROM consultations WHERE ?1 IS NULL OR session = ?1 GROUP BY 1, 2",
    )?;
    let mut rows = query.query([session])?;
    while let Some(row) = rows.next()? {
        let (domain, declined): (Option<String>, bool) = (row.get(0)?, row.get(1)?);
        let times = row.get::<_, i64>(2)?.unsigned_abs();
        summary.asked += times;
        match domain {
            _ if declined => summary.declined += times,
            Some(domain) => *summary.domains.entry(domain).or_default() += times,
            None => {}
        }
    }
    let mut judged = connection.prepare_cached(JUDGED)?;
    let mut rows = judged.query([])?;
    while let Some(row) = rows.next()? {
        let (word, of): (String, Option<String>) = (row.get(0)?, row.get(2)?);
        let counts = session.is_none_or(|session| of.as_deref() == Some(session));
        if let Some(verdict) = FeedbackVerdict::from_word(&word).filter(|_| counts) {
            summary.outcomes.add(verdict.speaks_for());
        }
    }
    let mut uncovered = connection.prepare_cached(
        "SELECT question, times FROM consultations WHERE files = '' AND (?1 IS NULL OR session = ?1)
         ORDER BY times DESC, at_ms DESC, id LIMIT ?2",
    )?;
    let named = uncovered.query_map(params![session, NAMED], |row| {
        Ok(UncoveredQuestion { question: row.get(0)?, asked: row.get::<_, i64>(1)?.unsigned_abs() })
    })?;
    summary.uncovered = named.collect::<rusqlite::Result<_>>()?;
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::StatsScope;
    use tapps_base::clock;
    use tapps_sandbox::Boundary;

    fn log(root: &std::path::Path) -> CallLog {
        CallLog::new(Arc::new(Boundary::open(root).unwrap()), clock::system())
    }

    fn ask(log: &CallLog, id: &str, question: &str, files: &[&str]) {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let asked =
            NewConsultation { id, session: None, question, domain: Some("database"), confidence: 0.75, files: &files };
        log.record_consultation(&asked).unwrap();
    }

    fn said(verdict: FeedbackVerdict) -> NewFeedback<'static> {
        NewFeedback {
            session: None,
            verdict,
            rule: None,
            category: None,
            file: None,
            line: 0,
            tool: None,
            consultation: None,
            comment: None,
        }
    }

    #[test]
    fn consultations_are_counted_and_judged_once_each() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(folder.path());
        ask(&log, "a1", "How large a pool?", &["database/pools", "performance/pools"]);
        ask(&log, "a1", "How large a pool?", &["database/pools", "performance/pools"]);
        ask(&log, "b2", "Which bread?", &[]);
        ask(&log, "b2", "Which bread?", &[]);
        ask(&log, "c3", "Which cake?", &[]);
        log.judge_consultation("a1", &said(FeedbackVerdict::Wrong)).unwrap();
        log.judge_consultation("a1", &said(FeedbackVerdict::Right)).unwrap();
        let told = log.stats(StatsScope::default()).unwrap().consultations;
        assert_eq!((told.asked, told.declined, told.outcomes), (5, 3, Outcomes { right: 1, wrong: 0 }));
        assert_eq!(told.domains, BTreeMap::from([("database".to_owned(), 2)]));
        let uncovered: Vec<(&str, u64)> = told.uncovered.iter().map(|one| (one.question.as_str(), one.asked)).collect();
        assert_eq!(uncovered, [("Which bread?", 2), ("Which cake?", 1)]);
        let by_file = log.outcomes_by_expert_file().unwrap();
        assert_eq!(by_file, BTreeMap::from([("database/pools".to_owned(), Outcomes { right: 1, wrong: 0 })]));
    }

    #[test]
    fn what_was_never_asked_cannot_be_judged() {
        let folder = tempfile::tempdir().unwrap();
        let error = log(folder.path()).judge_consultation("zz", &said(FeedbackVerdict::Right)).unwrap_err();
        assert_eq!(error.message(), "no consultation `zz` is remembered");
        assert!(error.body().hint.as_deref().is_some_and(|hint| hint.contains("tapps_consult_expert")));
    }

    #[test]
    fn secrets_and_people_in_a_question_are_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(folder.path());
        ask(&log, "d4", "Why does anna.k@firm.de see the error?", &[]);
        let kept = log.stats(StatsScope::default()).unwrap().consultations.uncovered;
        assert_eq!(kept[0].question, "Why does [redacted e-mail] see the error?");
    }
}
