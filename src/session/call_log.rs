//! The log of every call, by session: what was done, on which bytes, and how it ended.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use super::call::{CheckedFile, LoggedCall, LoggedCallOutcome, NewCall, normalize_tool_name};
use super::store::{CallLogStorage, CallLogStore, Need};
use tapps_base::clock::Clock;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;

/// How long a session is remembered after its last call.
const REMEMBERED: Duration = Duration::from_hours(24 * 90);

/// The call log of one project; several processes may use it at once.
#[derive(Debug)]
pub struct CallLog {
    store: Mutex<CallLogStore>,
    clock: Arc<dyn Clock>,
}

impl CallLog {
    /// The log of a project. Nothing is opened or made before it is needed.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>, clock: Arc<dyn Clock>) -> Self {
        Self { store: Mutex::new(CallLogStore::new(boundary)), clock }
    }

    /// Where the log is kept.
    #[must_use]
    pub fn log_storage(&self) -> CallLogStorage {
        self.store().kept.clone()
    }

    /// What happened to the log and should be told, for example that a broken one was moved aside.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        self.store().notices.clone()
    }

    /// Begins a session and gives its identifier. Sessions without a call for three months are forgotten.
    ///
    /// # Errors
    /// `session_locked` when another process keeps the log locked; `internal` when the disk refuses.
    pub fn begin(&self) -> Result<String> {
        let id = self.clock.fresh_id();
        let now = self.now_ms();
        let oldest = now.saturating_sub(millis_as_i64(REMEMBERED));
        self.write_database(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute("DELETE FROM sessions WHERE last_ms < ?1", [oldest])?;
            transaction
                .execute("INSERT INTO sessions (id, begun_ms, last_ms) VALUES (?1, ?2, ?2)", params![id, now])?;
            transaction.commit()
        })?;
        Ok(id)
    }

    /// Checks that a session exists.
    ///
    /// # Errors
    /// `invalid_session` with what to do.
    pub fn ensure(&self, session: &str) -> Result<()> {
        if self.read_database(|connection| is_known(connection, session))?.unwrap_or_default() {
            Ok(())
        } else {
            Err(unknown_session_error(session))
        }
    }

    /// The session with the latest call, or the latest begun one.
    ///
    /// # Errors
    /// As [`CallLog::begin`].
    pub fn latest(&self) -> Result<Option<String>> {
        let found = self.read_database(|connection| {
            let query = "SELECT id FROM sessions ORDER BY last_ms DESC, begun_ms DESC, rowid DESC LIMIT 1";
            connection.query_row(query, [], |row| row.get(0)).optional()
        })?;
        Ok(found.flatten())
    }

    /// Identifiers of the sessions, latest first, at most `limit`.
    ///
    /// # Errors
    /// As [`CallLog::begin`].
    pub fn sessions(&self, limit: u32) -> Result<Vec<String>> {
        let found = self.read_database(|connection| {
            let query = "SELECT id FROM sessions ORDER BY last_ms DESC, begun_ms DESC, rowid DESC LIMIT ?1";
            connection.prepare_cached(query)?.query_map([limit], |row| row.get(0))?.collect()
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Writes a call down in one transaction and gives its number. Once this returns, no end of this process undoes it.
    ///
    /// # Errors
    /// `invalid_session` for a session that was never begun; otherwise as [`CallLog::begin`].
    pub fn record(&self, call: &NewCall<'_>) -> Result<i64> {
        let now = self.now_ms();
        let tool = normalize_tool_name(call.tool);
        let written = self.write_database(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let known = transaction
                .execute("UPDATE sessions SET last_ms = max(last_ms, ?2) WHERE id = ?1", params![call.session, now])?;
            if known == 0 {
                return Ok(None);
            }
            let id = insert(&transaction, call, &tool, now)?;
            transaction.commit()?;
            Ok(Some(id))
        })?;
        written.ok_or_else(|| unknown_session_error(call.session))
    }

    /// The calls of a session in the order they were recorded.
    ///
    /// # Errors
    /// `invalid_session` for a session that was never begun; otherwise as [`CallLog::begin`].
    pub fn calls(&self, session: &str) -> Result<Vec<LoggedCall>> {
        self.select_calls(session, ALL)
    }

    /// The calls that still say something, in the order they were recorded: of each tool the latest with each outcome, for
    /// each file and for each subject. Their number does not grow with the length of a session.
    ///
    /// # Errors
    /// As [`CallLog::calls`].
    pub fn latest_calls(&self, session: &str) -> Result<Vec<LoggedCall>> {
        self.select_calls(session, LATEST)
    }

    fn select_calls(&self, session: &str, which: &str) -> Result<Vec<LoggedCall>> {
        let found = self.read_database(|connection| {
            // One snapshot for the three queries.
            let transaction = connection.transaction()?;
            if is_known(&transaction, session)? { load_calls(&transaction, session, which).map(Some) } else { Ok(None) }
        })?;
        found.flatten().ok_or_else(|| unknown_session_error(session))
    }

    fn store(&self) -> MutexGuard<'_, CallLogStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn read_database<T>(&self, work: impl Fn(&mut Connection) -> rusqlite::Result<T>) -> Result<Option<T>> {
        self.store().with_connection(Need::Read, work)
    }

    pub(super) fn write_database<T>(&self, work: impl Fn(&mut Connection) -> rusqlite::Result<T>) -> Result<T> {
        let written = self.store().with_connection(Need::Write, work)?;
        written.ok_or_else(|| Error::internal("the call log was not opened"))
    }

    pub(super) fn now_ms(&self) -> i64 {
        millis_as_i64(self.clock.now())
    }
}

fn millis_as_i64(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn saturate_to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unknown_session_error(session: &str) -> Error {
    let shown: String = session.chars().take(64).collect();
    Error::new(ErrorCode::InvalidSession, format!("there is no session `{}`", tapps_base::log_text(&shown)))
        .hint("call tapps_server_info and pass the `session_id` it gives")
}

fn is_known(connection: &Connection, session: &str) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM sessions WHERE id = ?1")?.exists([session])
}

fn insert(connection: &Connection, call: &NewCall<'_>, tool: &str, now: i64) -> rusqlite::Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO calls (session, tool, outcome, task, at_ms, elapsed_ms, reply_bytes, trace_id, parent_id, error)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            call.session,
            tool,
            call.outcome.as_str(),
            call.task,
            now,
            saturate_to_i64(call.elapsed_ms),
            saturate_to_i64(call.reply_bytes),
            call.trace.map(|trace| &trace.trace_id),
            call.trace.map(|trace| &trace.parent_id),
            call.error.map(ErrorCode::as_str)
        ])?;
    let id = connection.last_insert_rowid();
    let mut latest = connection.prepare_cached(
        "INSERT OR REPLACE INTO latest (session, tool, outcome, about, name, call) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut remember = |about: &str, name: &str| {
        latest.execute(params![call.session, tool, call.outcome.as_str(), about, name, id]).map(drop)
    };
    remember("all", "")?;
    let mut files = connection
        .prepare_cached("INSERT OR REPLACE INTO files (call, file, sha256, passed) VALUES (?1, ?2, ?3, ?4)")?;
    for file in call.files {
        files.execute(params![id, file.file, file.sha256, file.passed])?;
        remember("file", &file.file)?;
    }
    let mut subjects = connection.prepare_cached("INSERT OR IGNORE INTO subjects (call, subject) VALUES (?1, ?2)")?;
    for subject in call.subjects {
        subjects.execute(params![id, subject])?;
        remember("subject", subject)?;
    }
    Ok(id)
}

/// The numbers of all calls of a session.
const ALL: &str = "SELECT id FROM calls WHERE session = ?1";

/// The numbers of those that [`CallLog::latest_calls`] gives.
const LATEST: &str = "SELECT call FROM latest WHERE session = ?1";

fn load_calls(connection: &Connection, session: &str, which: &str) -> rusqlite::Result<Vec<LoggedCall>> {
    let mut files: BTreeMap<i64, Vec<CheckedFile>> = BTreeMap::new();
    let query = format!("SELECT call, file, sha256, passed FROM files WHERE call IN ({which}) ORDER BY call, file");
    let mut query = connection.prepare_cached(&query)?;
    let mut rows = query.query([session])?;
    while let Some(row) = rows.next()? {
        let file = CheckedFile { file: row.get(1)?, sha256: row.get(2)?, passed: row.get(3)? };
        files.entry(row.get(0)?).or_default().push(file);
    }
    let mut subjects: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    let query = format!("SELECT call, subject FROM subjects WHERE call IN ({which}) ORDER BY call, subject");
    let mut query = connection.prepare_cached(&query)?;
    let mut rows = query.query([session])?;
    while let Some(row) = rows.next()? {
        subjects.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    let query = format!(
        "SELECT id, tool, outcome, task, at_ms, elapsed_ms, reply_bytes, trace_id, parent_id
         FROM calls WHERE id IN ({which}) ORDER BY id"
    );
    connection
        .prepare_cached(&query)?
        .query_map([session], |row| {
            let id = row.get(0)?;
            Ok(LoggedCall {
                id,
                tool: row.get(1)?,
                outcome: LoggedCallOutcome::parse(&row.get::<_, String>(2)?),
                files: files.remove(&id).unwrap_or_default(),
                subjects: subjects.remove(&id).unwrap_or_default(),
                task: row.get(3)?,
                at_ms: row.get(4)?,
                elapsed_ms: row.get::<_, i64>(5)?.unsigned_abs(),
                reply_bytes: row.get::<_, i64>(6)?.unsigned_abs(),
                trace_id: row.get(7)?,
                parent_id: row.get(8)?,
            })
        })?
        .collect()
}
