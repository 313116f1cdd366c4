//! What callers said about findings and verdicts: kept with the call log, and counted.

use std::collections::BTreeMap;

use rusqlite::{Connection, TransactionBehavior, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call_log::CallLog;
use tapps_base::finding::Category;
use tapps_base::{Error, Result};

/// Longest comment, in characters.
const LONGEST_COMMENT: usize = 1_000;
/// Most outcomes that are remembered; the oldest make room.
const REMEMBERED: i64 = 10_000;

tapps_base::wire_enum! {
    /// How it turned out.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum FeedbackVerdict {
        /// The finding was right and has been dealt with.
        Fixed = "fixed",
        /// It was right.
        Right = "right",
        /// It was a false alarm.
        Wrong = "wrong",
        /// It was right and not worth its price.
        Minor = "minor",
        /// The gate failed code that was good.
        TooStrict = "too_strict",
        /// The gate passed code that was not.
        TooLax = "too_lax",
    }
}

impl FeedbackVerdict {
    /// Whether it speaks for the weight of a category, or against it.
    #[must_use]
    pub const fn speaks_for(self) -> bool {
        match self {
            Self::Fixed | Self::Right | Self::TooLax => true,
            Self::Wrong | Self::Minor | Self::TooStrict => false,
        }
    }
}

/// One outcome. What is said again about the same thing takes the place of what was said before.
#[derive(Debug, Clone, Copy)]
pub struct NewFeedback<'a> {
    pub session: Option<&'a str>,
    pub verdict: FeedbackVerdict,
    /// The rule of the finding; none for a gate or another tool.
    pub rule: Option<&'a str>,
    /// The category that the outcome speaks about, where there is one.
    pub category: Option<Category>,
    pub file: Option<&'a str>,
    /// Line of the finding; 0 where it has none.
    pub line: u32,
    pub tool: Option<&'a str>,
    /// The answer of the experts that it is about.
    pub consultation: Option<&'a str>,
    pub comment: Option<&'a str>,
}

/// Outcomes that spoke for and against something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcomes {
    pub right: u32,
    pub wrong: u32,
}

impl Outcomes {
    /// How many there are.
    #[must_use]
    pub const fn total(self) -> u32 {
        self.right.saturating_add(self.wrong)
    }

    pub(super) fn add(&mut self, right: bool) {
        let count = if right { &mut self.right } else { &mut self.wrong };
        *count = count.saturating_add(1);
    }
}

/// What all outcomes come to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackSummary {
    pub total: u32,
    /// By the word of the outcome.
    pub verdicts: BTreeMap<String, u32>,
    /// By category, where it is known.
    pub categories: BTreeMap<Category, Outcomes>,
    /// By rule.
    pub rules: BTreeMap<String, Outcomes>,
}

impl CallLog {
    /// Writes an outcome down.
    ///
    /// # Errors
    /// `invalid_argument` when it says nothing about anything or too much; otherwise as [`CallLog::begin`].
    pub fn give_feedback(&self, given: &NewFeedback<'_>) -> Result<()> {
        if given.rule.is_none() && given.tool.is_none() && given.category.is_none() {
            return Err(Error::invalid("feedback needs something it is about")
                .hint("pass `rule` for a finding, `tool` for a verdict or an answer, or `category`"));
        }
        let comment = given.comment.unwrap_or_default();
        if comment.chars().count() > LONGEST_COMMENT {
            return Err(
                Error::invalid(format!("a comment has at most {LONGEST_COMMENT} characters")).hint("keep the gist")
            );
        }
        let subject = feedback_subject(given);
        let (category, now) = (given.category.map(Category::as_str), self.now_ms());
        self.write_database(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute(
                "INSERT OR REPLACE INTO feedback (subject, at_ms, session, verdict, rule, category, file, tool, comment, consultation)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    subject,
                    now,
                    given.session,
                    given.verdict.as_str(),
                    given.rule,
                    category,
                    given.file,
                    given.tool,
                    comment,
                    given.consultation
                ],
            )?;
            transaction.execute(
                "DELETE FROM feedback WHERE subject IN
                 (SELECT subject FROM feedback ORDER BY at_ms DESC, subject LIMIT -1 OFFSET ?1)",
                [REMEMBERED],
            )?;
            transaction.commit()
        })
    }

    /// What all outcomes of the project come to.
    ///
    /// # Errors
    /// As [`CallLog::begin`].
    pub fn feedback(&self) -> Result<FeedbackSummary> {
        Ok(self.read_database(|connection| summary(connection))?.unwrap_or_default())
    }
}

/// What an outcome is about, so that the same thing is not counted twice.
fn feedback_subject(given: &NewFeedback<'_>) -> String {
    let category = given.category.map(Category::as_str).unwrap_or_default();
    let parts = [given.rule.unwrap_or(category), given.tool.unwrap_or_default(), given.file.unwrap_or_default()];
    // Without a place every session is heard for itself.
    let place = match (given.consultation, given.file) {
        (Some(consultation), _) => consultation.to_owned(),
        (None, Some(_)) => given.line.to_string(),
        (None, None) => given.session.unwrap_or_default().to_owned(),
    };
    format!("{}\u{1f}{place}", parts.join("\u{1f}"))
}

fn summary(connection: &Connection) -> rusqlite::Result<FeedbackSummary> {
    let mut summary = FeedbackSummary::default();
    let mut query = connection.prepare_cached("SELECT verdict, rule, category FROM feedback ORDER BY subject")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let word: String = row.get(0)?;
        let Some(verdict) = FeedbackVerdict::from_word(&word) else { continue };
        summary.total = summary.total.saturating_add(1);
        *summary.verdicts.entry(word).or_default() += 1;
        let right = verdict.speaks_for();
        if let Some(rule) = row.get::<_, Option<String>>(1)? {
            summary.rules.entry(rule).or_default().add(right);
        }
        let category: Option<String> = row.get(2)?;
        if let Some(category) = category.as_deref().and_then(Category::from_word) {
            summary.categories.entry(category).or_default().add(right);
        }
    }
    Ok(summary)
}
