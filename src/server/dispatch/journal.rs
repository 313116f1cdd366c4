//! The hook through which finished calls reach the call log.

use tapps_base::{ErrorCode, Result};
use tapps_session::TraceParent;

/// How a call ended, as far as a checklist cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolCallOutcome {
    /// It did its work and found nothing that stops the caller.
    Passed,
    /// It did its work and the verdict was no.
    Failed,
    /// It could not do its work.
    Errored,
}

/// A file that a call looked at, and its bytes at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Project-relative path.
    pub file: String,
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// False when the verdict on this file was no.
    pub passed: bool,
}

/// One finished call.
#[derive(Debug, Clone)]
pub struct ToolCallRecord<'a> {
    pub session: Option<&'a str>,
    pub tool: &'static str,
    pub outcome: ToolCallOutcome,
    pub touched: &'a [Touched],
    /// Names the call was about besides files, for example libraries.
    pub subjects: &'a [String],
    /// What the caller said it was working on, if it did.
    pub task: Option<&'a str>,
    /// The trace that the caller named, if it did.
    pub trace: Option<&'a TraceParent>,
    /// Why it could not do its work.
    pub error: Option<ErrorCode>,
    pub elapsed_ms: u64,
    /// Bytes of the reply, for statistics.
    pub reply_bytes: usize,
}

/// Where finished calls are written down; called off the async threads and before the answer is sent.
pub trait ToolCallJournal: Send + Sync {
    /// Writes one call down.
    ///
    /// # Errors
    /// What the store says; the answer is sent all the same and the failure is logged.
    fn record(&self, entry: &ToolCallRecord<'_>) -> Result<()>;

    /// Checks that a session named by a caller exists.
    ///
    /// # Errors
    /// `invalid_session` when it does not.
    fn ensure_session_exists(&self, _session: &str) -> Result<()> {
        Ok(())
    }
}

/// Nothing is written down.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoJournal;

impl ToolCallJournal for NoJournal {
    fn record(&self, _entry: &ToolCallRecord<'_>) -> Result<()> {
        Ok(())
    }
}
