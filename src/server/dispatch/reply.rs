//! What a tool hands back: a JSON object and how it may be shortened.

use serde::Serialize;
use serde_json::{Map, Value};

use super::budget::Fitting;
use super::human::ConfirmationQuestion;
use super::journal::{ToolCallOutcome, Touched};
use tapps_base::{Error, Result};

/// The result of a tool before the budget is applied.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) value: Map<String, Value>,
    pub(super) paged: Option<&'static str>,
    pub(super) whole: bool,
    pub(super) brief: Option<String>,
    pub(super) outcome: ToolCallOutcome,
    pub(super) touched: Vec<Touched>,
    pub(super) subjects: Vec<String>,
    pub(super) task: Option<String>,
    pub(super) verbatim: bool,
    pub(super) asks: Option<ConfirmationQuestion>,
    pub(super) link: Option<ReplyResourceLink>,
}

/// Something further to read, for clients that show links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyResourceLink {
    pub uri: String,
    pub name: &'static str,
    pub mime: &'static str,
}

impl Reply {
    /// A reply that is the JSON object of `value`.
    ///
    /// # Errors
    /// `internal` when the value is not a JSON object.
    pub fn from_serializable(value: &impl Serialize) -> Result<Self> {
        match serde_json::to_value(value) {
            Ok(Value::Object(value)) => Ok(Self {
                value,
                paged: None,
                whole: false,
                brief: None,
                outcome: ToolCallOutcome::Passed,
                touched: Vec::new(),
                subjects: Vec::new(),
                task: None,
                verbatim: false,
                asks: None,
                link: None,
            }),
            Ok(other) => Err(Error::internal(format!("a reply must be an object, not {other}"))),
            Err(error) => Err(Error::internal(format!("a reply has no JSON form: {error}"))),
        }
    }

    /// Names the top-level list that is cut to the budget and continued with a cursor.
    #[must_use]
    pub fn with_paged_list(mut self, list: &'static str) -> Self {
        self.paged = Some(list);
        self
    }

    /// The caller asked for everything: no budget.
    #[must_use]
    pub fn without_budget(mut self) -> Self {
        self.whole = true;
        self
    }

    /// How it may be shortened, by a tool whose replies have pages or not: what cannot be asked for is not cut.
    pub(super) fn how_to_fit(&self, has_pages: bool) -> Fitting<'static> {
        if self.whole || !has_pages { Fitting::Whole } else { Fitting::Pages(self.paged) }
    }

    /// Sends the value as it is: nothing is cut, and no `meta` is added that would differ from one call to the next.
    #[must_use]
    pub fn without_meta(mut self) -> Self {
        self.verbatim = true;
        self.without_budget()
    }

    /// Has the client put a question to the person and call again; for clients that ask between two calls.
    #[must_use]
    pub fn asking_client(mut self, question: ConfirmationQuestion) -> Self {
        self.asks = Some(question);
        self
    }

    /// Names a resource that has more than the reply.
    #[must_use]
    pub fn with_link(mut self, link: ReplyResourceLink) -> Self {
        self.link = Some(link);
        self
    }

    /// Adds a field.
    pub fn add(&mut self, name: &str, value: Value) {
        self.value.insert(name.to_owned(), value);
    }

    /// A sentence for clients that show text to a model besides the structured result.
    #[must_use]
    pub fn with_brief(mut self, sentence: impl Into<String>) -> Self {
        self.brief = Some(sentence.into());
        self
    }

    /// The verdict for the call log.
    #[must_use]
    pub fn with_passed(mut self, passed: bool) -> Self {
        self.outcome = if passed { ToolCallOutcome::Passed } else { ToolCallOutcome::Failed };
        self
    }

    /// The files looked at, for the call log.
    #[must_use]
    pub fn with_touched_files(mut self, touched: Vec<Touched>) -> Self {
        self.touched = touched;
        self
    }

    /// Names the call was about besides files, for the call log.
    #[must_use]
    pub fn with_subjects(mut self, subjects: Vec<String>) -> Self {
        self.subjects = subjects;
        self
    }

    /// What the caller said it was working on, for the call log.
    #[must_use]
    pub fn with_task(mut self, task: impl Into<String>) -> Self {
        self.task = Some(task.into());
        self
    }
}
