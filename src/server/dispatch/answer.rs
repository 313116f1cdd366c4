//! What a caller gets.

use serde_json::Value;
use tapps_base::Error;

use super::human::Question;
use super::reply::Link;

/// What a caller gets: one JSON object, and the same as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub structured: Value,
    pub text: String,
    pub is_error: bool,
    /// The client is to ask this and call again; the rest is then not sent.
    pub asks: Option<Question>,
    pub link: Option<Link>,
}

/// The answer that carries an error: its schema as the structured result and the same as text.
#[must_use]
pub(crate) fn render_error(error: &Error) -> Answer {
    let structured = serde_json::to_value(error.body()).unwrap_or_default();
    Answer { text: structured.to_string(), structured, is_error: true, asks: None, link: None }
}
