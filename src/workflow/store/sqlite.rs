//! The store in a database in the state folder; several processes may use it at once.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode as Sqlite, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::contract::{ArtifactQuery, Artifacts, Begun, Committed, WorkflowStore};
use super::rows;
use super::schema::STEPS;
use crate::rate::Take;
use crate::record::{Execution, ExecutionChange, ExecutionEvent, NewExecution};
use tapps_base::database::open_shared;
use tapps_base::migrate::{Refusal, migrate};
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;
use tapps_sandbox::state::STATE_FOLDER;

const FILE: &str = "workflow.db";

/// How long one process waits for another to finish its transaction.
const BUSY: Duration = Duration::from_secs(10);

/// Keeps executions on the disk.
#[derive(Debug)]
pub struct SqliteStore {
    boundary: Arc<Boundary>,
    connection: Mutex<Option<Connection>>,
}

impl SqliteStore {
    /// The store of a project. Nothing is opened or made before it is needed.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>) -> Self {
        Self { boundary, connection: Mutex::default() }
    }

    /// Reads; the default when nothing was ever kept.
    fn with_reader<T: Default>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if connection.is_none() {
            let folder = self.boundary.existing_state_folder()?.filter(|folder| folder.join(FILE).exists());
            match folder {
                Some(folder) => *connection = Some(open_workflow_database(&folder.join(FILE))?),
                None => return Ok(T::default()),
            }
        }
        let Some(connection) = connection.as_mut() else { return Ok(T::default()) };
        // One snapshot for all its queries.
        let transaction = connection.transaction().map_err(|e| storage_error(&e))?;
        work(&transaction).map_err(|e| storage_error(&e))
    }

    /// Writes in one transaction, which no other writer interrupts; kept only if `work` says so.
    fn with_write_transaction<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<(T, Keep)>,
    ) -> Result<T> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match connection.as_mut() {
            Some(opened) => opened,
            None => connection.insert(open_workflow_database(&self.boundary.state_folder()?.join(FILE))?),
        };
        let done = opened.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|transaction| {
            let (value, keep) = work(&transaction)?;
            match keep {
                Keep::Yes => transaction.commit()?,
                Keep::No => transaction.rollback()?,
            }
            Ok(value)
        });
        done.map_err(|e| storage_error(&e))
    }
}

/// Whether a transaction is kept.
#[derive(Debug, Clone, Copy)]
enum Keep {
    Yes,
    No,
}

/// Counts a call in the buckets; how long to wait when one is empty.
fn count(transaction: &Transaction<'_>, takes: &[Take], now_ms: i64) -> rusqlite::Result<Option<Duration>> {
    let mut wait = None;
    for take in takes {
        let scope = take.scope.as_str();
        match take.limit.take_token(rows::bucket(transaction, scope, &take.key)?, now_ms) {
            Ok(bucket) => rows::put_bucket(transaction, scope, &take.key, bucket)?,
            Err(longer) => wait = wait.max(Some(longer)),
        }
    }
    Ok(wait)
}

impl WorkflowStore for SqliteStore {
    fn begin(&self, new: &NewExecution) -> Result<Begun> {
        self.with_write_transaction(|transaction| {
            if let Some(key) = &new.execution.request_key
                && let Some(existing) = rows::execution(transaction, "request_key", key)?
            {
                return Ok((Begun::Existing(Box::new(existing)), Keep::No));
            }
            if let Some(wait) = count(transaction, &new.takes, new.now_ms)? {
                return Ok((Begun::Limited(wait), Keep::No));
            }
            transaction
                .prepare_cached("INSERT OR IGNORE INTO definitions (digest, body) VALUES (?1, ?2)")?
                .execute([&new.execution.definition, &new.definition])?;
            rows::insert_execution(transaction, &new.execution)?;
            rows::insert_events(transaction, &new.events)?;
            Ok((Begun::New, Keep::Yes))
        })
    }

    fn execution(&self, id: &str) -> Result<Option<Execution>> {
        self.with_reader(|connection| rows::execution(connection, "id", id))
    }

    fn definition(&self, digest: &str) -> Result<Option<String>> {
        self.with_reader(|connection| {
            let mut query = connection.prepare_cached("SELECT body FROM definitions WHERE digest = ?1")?;
            query.query_row([digest], |row| row.get(0)).optional()
        })
    }

    fn commit(&self, change: &ExecutionChange) -> Result<Committed> {
        self.with_write_transaction(|transaction| {
            if !rows::update_execution(transaction, &change.execution)? {
                return Ok((Committed::Stale, Keep::No));
            }
            if let Some(wait) = count(transaction, &change.takes, change.now_ms)? {
                return Ok((Committed::Limited(wait), Keep::No));
            }
            let id = &change.execution.id;
            change.steps.iter().try_for_each(|step| rows::update_step(transaction, id, step))?;
            change.undone.iter().try_for_each(|step| rows::undo_artifacts(transaction, id, step))?;
            change.artifacts.iter().try_for_each(|artifact| rows::insert_artifact(transaction, artifact))?;
            if change.finalize {
                rows::finalize_artifacts(transaction, id)?;
            }
            rows::insert_events(transaction, &change.events)?;
            Ok((Committed::Done, Keep::Yes))
        })
    }

    fn take_tokens(&self, takes: &[Take], now_ms: i64) -> Result<Option<Duration>> {
        self.with_write_transaction(|transaction| {
            let wait = count(transaction, takes, now_ms)?;
            Ok((wait, if wait.is_none() { Keep::Yes } else { Keep::No }))
        })
    }

    fn executions(&self, only_open: bool, limit: u32) -> Result<Vec<Execution>> {
        self.with_reader(|connection| rows::executions(connection, only_open, limit))
    }

    fn artifacts(&self, query: &ArtifactQuery) -> Result<Artifacts> {
        const WANTED: &str = "FROM artifacts WHERE (?1 IS NULL OR execution = ?1) AND (?2 IS NULL OR kind = ?2)
             AND (is_final OR NOT ?3) AND NOT (undone AND ?4)";
        let kind = query.kind.map(crate::output::ArtifactKind::as_str);
        self.with_reader(|connection| {
            let total: i64 = connection
                .prepare_cached(&format!("SELECT count(*) {WANTED}"))?
                .query_row(params![query.execution, kind, query.only_final, query.without_undone], |row| row.get(0))?;
            let artifacts = connection
                .prepare_cached(&format!("SELECT {} {WANTED} ORDER BY number DESC LIMIT ?6", rows::ARTIFACT))?
                .query_map(
                    params![
                        query.execution,
                        kind,
                        query.only_final,
                        query.without_undone,
                        query.without_contents,
                        query.limit
                    ],
                    rows::artifact_of,
                )?
                .collect::<rusqlite::Result<_>>()?;
            Ok(Artifacts { artifacts, total: total.unsigned_abs() })
        })
    }

    fn events(&self, after: i64, execution: Option<&str>, limit: u32) -> Result<Vec<ExecutionEvent>> {
        self.with_reader(|connection| rows::events(connection, after, execution, limit))
    }

    fn last_event(&self) -> Result<i64> {
        self.with_reader(|connection| {
            connection.prepare_cached("SELECT coalesce(max(id), 0) FROM events")?.query_row([], |row| row.get(0))
        })
    }
}

/// Opens the database. Every transaction is on the disk before it is acknowledged, and readers never wait for a writer.
fn open_workflow_database(path: &Path) -> Result<Connection> {
    let prepare = || -> std::result::Result<Connection, Refusal> {
        let mut connection = open_shared(path, BUSY)?;
        connection.set_prepared_statement_cache_capacity(64);
        connection.pragma_update(None, "synchronous", "full")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrate(&mut connection, &STEPS)?;
        Ok(connection)
    };
    prepare().map_err(|refusal| match refusal {
        Refusal::Sqlite(error) => storage_error(&error),
        Refusal::Newer(version) => Error::new(
            ErrorCode::CorruptedData,
            format!("{STATE_FOLDER}/{FILE} has version {version}, written by a later program"),
        )
        .hint("use that program, or move the file away"),
    })
}

fn storage_error(error: &rusqlite::Error) -> Error {
    let file = format!("{STATE_FOLDER}/{FILE}");
    match error.sqlite_error_code() {
        Some(Sqlite::DatabaseCorrupt | Sqlite::NotADatabase) => {
            Error::new(ErrorCode::CorruptedData, format!("{file} cannot be read: {error}"))
                .hint(format!("move {file} away, with its -wal and -shm files; it is never overwritten"))
        }
        Some(Sqlite::DatabaseBusy | Sqlite::DatabaseLocked) => {
            Error::new(ErrorCode::SessionLocked, format!("another process keeps {file} locked")).hint("try again")
        }
        _ if matches!(
            error,
            rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..)
        ) =>
        {
            Error::new(ErrorCode::CorruptedData, format!("{file} holds something unknown: {error}"))
                .hint(format!("move {file} away, with its -wal and -shm files"))
        }
        _ => Error::internal(format!("{file} cannot be used: {error}")),
    }
}
