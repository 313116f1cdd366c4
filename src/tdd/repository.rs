//! Where the events of sessions are kept, and who may add to them.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::event::{EventData, SessionEvent};
use super::id::SessionId;
use tapps_base::{Error, ErrorCode, Result};

/// A place in a log: just after the last event that was read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// The number of that event; 0 before the first.
    pub seq: u64,
    /// Bytes of the log up to there, for repositories of files.
    pub bytes: u64,
}

/// What a replay came upon besides events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replayed {
    /// Just after the last whole event.
    pub end: Mark,
    /// Bytes after that which are no whole line: the remains of a write that a crash broke off.
    pub torn_bytes: u64,
    /// Types of events that this version does not know, with how many there were.
    pub unknown: std::collections::BTreeMap<String, u64>,
}

impl Replayed {
    /// What a person should know about it.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.torn_bytes > 0 {
            warnings.push(format!(
                "the last {} bytes of the log were the remains of an interrupted write and were left out; nothing that was \
                 acknowledged is missing",
                self.torn_bytes
            ));
        }
        for (event_type, count) in &self.unknown {
            warnings.push(format!("{count} events of the unknown type `{event_type}` were passed over"));
        }
        warnings
    }
}

/// One item of a replay.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplayItem {
    Event(SessionEvent),
    /// An event of a type that this version does not know.
    Unknown(u64),
}

/// How an attempt to add an event ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is on the disk; the mark is just after it.
    Durable(Mark),
    /// The log has grown since the mark: read on from there and decide anew.
    Moved,
}

/// Who works on a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The program that holds it.
    pub locked_by: String,
    /// RFC 3339, UTC.
    pub locked_at: String,
    #[serde(default)]
    pub host: String,
    #[serde(default)]
    pub pid: u32,
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (process {} on {}, since {})", self.locked_by, self.pid, self.host, self.locked_at)
    }
}

/// A session held for one worker. Dropping it frees the session, but leaves it the current one: it was interrupted.
pub trait SessionLock: Send + Debug {
    /// Notes the session as the current one, once it has really begun or gone on.
    ///
    /// # Errors
    /// `internal` when the note cannot be written.
    fn mark_current(&self) -> Result<()>;

    /// Frees the session in good order: there is no current one afterwards.
    fn let_go(self: Box<Self>);
}

/// Keeps sessions.
pub trait Repository: Send + Sync + Debug {
    /// Hands every event after `from` to `visit`, oldest first.
    ///
    /// # Errors
    /// `invalid_session` when there is no such session or a newer program wrote it; `corrupted_data` for a log that
    /// cannot be read or that `visit` refuses with a sentence.
    fn load_events(
        &self,
        id: &SessionId,
        from: Mark,
        visit: &mut dyn FnMut(ReplayItem) -> Result<(), String>,
    ) -> Result<Replayed>;

    /// At most `limit` events before number `before`, newest first; unknown ones are left out.
    ///
    /// # Errors
    /// As [`Repository::load_events`].
    fn newest_events(&self, id: &SessionId, before: u64, limit: usize) -> Result<Vec<SessionEvent>>;

    /// Adds an event just after `at` and makes it durable; at the zero mark the session is created.
    ///
    /// # Errors
    /// `internal` when the disk refuses; the log is then as it was. `session_locked` when another process is writing
    /// and does not come to an end.
    fn append_event(&self, id: &SessionId, at: Mark, timestamp: &str, data: &EventData) -> Result<Appended>;

    /// True when there is such a session.
    fn session_exists(&self, id: &SessionId) -> bool;

    /// All sessions, in order of their ids.
    ///
    /// # Errors
    /// `internal` when the folder cannot be read.
    fn sessions(&self) -> Result<Vec<SessionId>>;

    /// Takes a session for this process; one session at a time.
    ///
    /// # Errors
    /// `session_locked` naming who holds it, or which other session is held.
    fn create_lock(&self, id: &SessionId, owner: &Owner) -> Result<Box<dyn SessionLock>>;

    /// Who holds the session now; none when nobody does.
    ///
    /// # Errors
    /// `internal` when the lock cannot be looked at.
    fn is_locked(&self, id: &SessionId) -> Result<Option<Owner>>;

    /// The session that was last taken and not let go in good order, held or not.
    ///
    /// # Errors
    /// `internal` when the note cannot be read.
    fn current(&self) -> Result<Option<SessionId>>;
}

/// The error for a session that is not there.
pub(super) fn no_session(id: &SessionId) -> Error {
    Error::new(ErrorCode::InvalidSession, format!("there is no session {id}"))
        .hint("`tapps-mcp tdd status` lists the sessions; tdd_start_session begins one")
}

/// The error for a session that somebody else holds.
pub(super) fn session_locked_error(id: &SessionId, owner: Option<&Owner>) -> Error {
    let by = owner.map_or_else(|| "another process".to_owned(), ToString::to_string);
    Error::new(ErrorCode::SessionLocked, format!("session {id} is locked by {by}"))
        .hint("pause or end it there; the lock goes by itself when that process ends")
}
