//! Where the call log is kept: a database in the state folder, or memory when the project cannot be written.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode as Sqlite};

use super::schema::STEPS;
use tapps_base::database::open_shared;
use tapps_base::migrate::{Refusal, migrate};
use tapps_base::{Error, ErrorCode, Result, private};
use tapps_sandbox::Boundary;
use tapps_sandbox::state::STATE_FOLDER;

const FILE: &str = "calls.db";

/// How long one process waits for another to finish its transaction.
const BUSY: Duration = Duration::from_secs(10);

/// Where the log is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallLogStorage {
    /// Nothing has been written yet.
    NotYet,
    /// In the state folder of the project.
    OnDisk,
    /// In memory, for this reason; it ends with the process.
    InMemory(String),
}

/// A database that is opened when it is first needed.
#[derive(Debug)]
pub(super) struct CallLogStore {
    boundary: Arc<Boundary>,
    connection: Option<Connection>,
    pub(super) kept: CallLogStorage,
    /// What happened to the store and should be told.
    pub(super) notices: Vec<String>,
}

/// Whether a use may make the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Read,
    Write,
}

impl CallLogStore {
    pub(super) fn new(boundary: Arc<Boundary>) -> Self {
        Self { boundary, connection: None, kept: CallLogStorage::NotYet, notices: Vec::new() }
    }

    /// Does `work` on the database; `None` when only reading is wanted and there is none.
    ///
    /// A database found broken is moved aside and the work is done once more on a new one.
    pub(super) fn with_connection<T>(
        &mut self,
        need: Need,
        work: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        for attempt in 0..2 {
            let Some(connection) = self.connect(need)? else { return Ok(None) };
            match work(connection) {
                Ok(value) => return Ok(Some(value)),
                Err(error) if is_broken(&error) && attempt == 0 => self.replace_broken_database()?,
                Err(error) if is_read_only(&error) && attempt == 0 && self.kept == CallLogStorage::OnDisk => {
                    self.fall_back(&error.to_string())?;
                }
                Err(error) => return Err(database_error(&error)),
            }
        }
        Err(Error::new(ErrorCode::CorruptedData, "the call log was broken again as soon as it was made anew")
            .hint(format!("remove {STATE_FOLDER}/{FILE}")))
    }

    fn connect(&mut self, need: Need) -> Result<Option<&mut Connection>> {
        if self.connection.is_none() {
            let folder = match need {
                Need::Read => self.boundary.existing_state_folder().map(|f| f.filter(|f| f.join(FILE).exists())),
                Need::Write => self.boundary.state_folder().map(Some),
            };
            match folder {
                Ok(None) => return Ok(None),
                Ok(Some(folder)) => self.open_in(&folder)?,
                Err(error) => self.fall_back(error.message())?,
            }
        }
        Ok(self.connection.as_mut())
    }

    fn open_in(&mut self, folder: &Path) -> Result<()> {
        match open_database(&folder.join(FILE)) {
            Ok(connection) => {
                self.connection = Some(connection);
                self.kept = CallLogStorage::OnDisk;
                Ok(())
            }
            Err(Refusal::Sqlite(error)) if is_broken(&error) => self.replace_broken_database(),
            Err(Refusal::Sqlite(error)) if error.sqlite_error_code() == Some(Sqlite::DatabaseBusy) => {
                Err(database_error(&error))
            }
            Err(Refusal::Sqlite(error)) => self.fall_back(&error.to_string()),
            Err(Refusal::Newer(version)) => {
                self.fall_back(&format!("{STATE_FOLDER}/{FILE} has version {version}, written by a later program"))
            }
        }
    }

    /// A new database in place of a broken one, or memory where that cannot be had.
    fn replace_broken_database(&mut self) -> Result<()> {
        self.set_aside().or_else(|error| self.fall_back(error.message()))
    }

    /// Moves a broken database aside and opens a new one. Only one process does so; the others find the new one.
    fn set_aside(&mut self) -> Result<()> {
        self.connection = None;
        let folder = self.boundary.state_folder()?;
        let lock = private::file(&folder.join("calls.lock"))
            .and_then(|file| file.lock().map(|()| file))
            .map_err(|e| Error::io(format_args!("cannot lock {STATE_FOLDER}"), &e))?;
        let path = folder.join(FILE);
        let still_broken = match open_database(&path) {
            Ok(connection) => connection
                .pragma_query_value(None, "quick_check", |row| row.get::<_, String>(0))
                .map_or(true, |verdict| verdict != "ok"),
            Err(Refusal::Sqlite(error)) => is_broken(&error),
            Err(Refusal::Newer(_)) => false,
        };
        if still_broken {
            let aside = free_name(&path);
            let failed = |e: &std::io::Error| Error::io(format_args!("cannot move {STATE_FOLDER}/{FILE} aside"), e);
            std::fs::rename(&path, &aside).map_err(|e| failed(&e))?;
            for ending in ["-wal", "-shm"] {
                // Left in place they would be taken for those of the new database.
                std::fs::rename(with_ending(&path, ending), with_ending(&aside, ending)).ok();
            }
            let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let notice = format!("the call log was broken and is now {STATE_FOLDER}/{name}; a new one was begun");
            tracing::warn!("{notice}");
            self.notices.push(notice);
        }
        let opened = open_database(&path);
        drop(lock);
        match opened {
            Ok(connection) => {
                self.connection = Some(connection);
                self.kept = CallLogStorage::OnDisk;
                Ok(())
            }
            Err(Refusal::Sqlite(error)) => Err(database_error(&error)),
            Err(Refusal::Newer(_)) => Err(Error::internal("the call log was replaced by a later program")),
        }
    }

    fn fall_back(&mut self, reason: &str) -> Result<()> {
        let connection = Connection::open_in_memory().map_err(Refusal::from).and_then(prepare_connection);
        self.connection = Some(connection.map_err(|refusal| match refusal {
            Refusal::Sqlite(error) => database_error(&error),
            Refusal::Newer(_) => Error::internal("a database in memory cannot be of a later version"),
        })?);
        tracing::warn!(reason, "the call log is kept in memory");
        self.kept = CallLogStorage::InMemory(reason.to_owned());
        Ok(())
    }
}

fn open_database(path: &Path) -> std::result::Result<Connection, Refusal> {
    prepare_connection(open_shared(path, BUSY)?)
}

/// Every transaction is with the system before it is acknowledged, so that no end of this process undoes it, and readers
/// never wait for a writer. A power cut may take the last calls with it: a checklist then asks for them again, which is
/// cheaper than waiting for the disk at every call.
fn prepare_connection(mut connection: Connection) -> std::result::Result<Connection, Refusal> {
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate(&mut connection, &STEPS)?;
    Ok(connection)
}

fn is_broken(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(Sqlite::DatabaseCorrupt | Sqlite::NotADatabase))
}

fn is_read_only(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(Sqlite::ReadOnly | Sqlite::CannotOpen))
}

fn database_error(error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(Sqlite::DatabaseCorrupt | Sqlite::NotADatabase) => {
            Error::new(ErrorCode::CorruptedData, format!("the call log cannot be read: {error}"))
                .hint(format!("remove {STATE_FOLDER}/{FILE}"))
        }
        Some(Sqlite::DatabaseBusy | Sqlite::DatabaseLocked) => {
            Error::new(ErrorCode::SessionLocked, "another process keeps the call log locked").hint("try again")
        }
        _ => Error::internal(format!("the call log cannot be used: {error}")),
    }
}

fn free_name(path: &Path) -> PathBuf {
    (1..u32::MAX)
        .map(|number| with_ending(path, &format!(".broken-{number}")))
        .find(|candidate| !candidate.exists())
        .unwrap_or_else(|| with_ending(path, ".broken"))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
