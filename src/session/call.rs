//! One call as the log knows it.

use serde::{Deserialize, Serialize};

use super::trace::TraceParent;
use tapps_base::ErrorCode;

tapps_base::wire_enum! {
    /// How a call ended, as far as a checklist cares.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum LoggedCallOutcome {
        /// It did its work and nothing in the answer stops the caller.
        Passed = "passed",
        /// It did its work and the verdict was no.
        Failed = "failed",
        /// It could not do its work.
        Errored = "errored",
    }
}

impl LoggedCallOutcome {
    pub(super) fn parse(word: &str) -> Self {
        Self::from_word(word).unwrap_or(Self::Errored)
    }
}

/// A file that a call looked at, and its bytes at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedFile {
    /// Project-relative path.
    pub file: String,
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// False when the verdict on this file was no.
    pub passed: bool,
}

/// A finished call, to be written down.
#[derive(Debug, Clone, Copy)]
pub struct NewCall<'a> {
    pub session: &'a str,
    /// Name of the tool, under any spelling; see [`normalize_tool_name`].
    pub tool: &'a str,
    pub outcome: LoggedCallOutcome,
    pub files: &'a [CheckedFile],
    /// Names the call was about besides files: the libraries whose documentation was looked up.
    pub subjects: &'a [String],
    /// What the caller said it was working on, if it did.
    pub task: Option<&'a str>,
    /// The trace that the caller named, if it did.
    pub trace: Option<&'a TraceParent>,
    /// Why it could not do its work.
    pub error: Option<ErrorCode>,
    pub elapsed_ms: u64,
    pub reply_bytes: u64,
}

impl<'a> NewCall<'a> {
    /// A call with nothing but its name and outcome.
    #[must_use]
    pub fn new(session: &'a str, tool: &'a str, outcome: LoggedCallOutcome) -> Self {
        Self {
            session,
            tool,
            outcome,
            files: &[],
            subjects: &[],
            task: None,
            trace: None,
            error: None,
            elapsed_ms: 0,
            reply_bytes: 0,
        }
    }
}

/// A call that was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedCall {
    /// Grows with every call of the project.
    pub id: i64,
    /// Folded; see [`normalize_tool_name`].
    pub tool: String,
    pub outcome: LoggedCallOutcome,
    /// Sorted by path.
    pub files: Vec<CheckedFile>,
    /// Sorted.
    pub subjects: Vec<String>,
    pub task: Option<String>,
    /// The trace it belongs to, where the caller named one.
    pub trace_id: Option<String>,
    /// The span of that trace which called.
    pub parent_id: Option<String>,
    /// Milliseconds since the Unix epoch.
    pub at_ms: i64,
    pub elapsed_ms: u64,
    pub reply_bytes: u64,
}

/// The one spelling of a tool's name: lower case, `_` for `.`, `-` and `/`, so that aliases count as the same tool.
#[must_use]
pub fn normalize_tool_name(tool: &str) -> String {
    tool.chars().map(|c| if matches!(c, '.' | '-' | '/') { '_' } else { c.to_ascii_lowercase() }).collect()
}
