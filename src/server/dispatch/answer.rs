//! What a caller gets.

use serde_json::Value;
use tapps_base::Error;

use super::human::ConfirmationQuestion;
use super::reply::ReplyResourceLink;

/// What a caller gets: one JSON object, and the same as text.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCallAnswer {
    pub structured: Value,
    pub text: String,
    pub is_error: bool,
    /// The client is to ask this and call again; the rest is then not sent.
    pub asks: Option<ConfirmationQuestion>,
    pub link: Option<ReplyResourceLink>,
}

/// The answer that carries an error: its schema as the structured result and the same as text.
#[must_use]
pub(crate) fn render_error(error: &Error) -> ToolCallAnswer {
    let structured = serde_json::to_value(error.body()).unwrap_or_default();
    ToolCallAnswer { text: structured.to_string(), structured, is_error: true, asks: None, link: None }
}
