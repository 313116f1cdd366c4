//! The database behind a store: opened when it is first needed, made anew when it is broken.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode as Sqlite};

use tapps_base::database::open_shared;
use tapps_base::{Error, Result, private};

const FILE: &str = "store.db";

/// The layout of the table; a database with another one is made anew, since all in it can be had again.
const VERSION: i64 = 1;

const TABLES: &str = "
    CREATE TABLE entry (
        key     BLOB NOT NULL UNIQUE,
        kind    TEXT NOT NULL,
        seal    BLOB NOT NULL,
        used    INTEGER NOT NULL,
        payload BLOB NOT NULL
    ) STRICT;
    CREATE INDEX entry_by_use ON entry (used);
";

/// How long one process waits for another. Waiting longer than computing anew is no use.
const BUSY: Duration = Duration::from_secs(2);

/// Where the database of the store in `folder` is.
pub(super) fn database_path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// Opens the database in `folder`, which is made when it is not there; a broken one is replaced by an empty one.
pub(super) fn open_store_database(folder: &Path) -> Result<Connection> {
    private::folder(folder).map_err(|e| Error::io(format_args!("cannot make {}", folder.display()), &e))?;
    match open_as_it_is(folder) {
        Err(DatabaseRefusal::Unusable) => replace_database(folder),
        Err(DatabaseRefusal::Sqlite(error)) => Err(store_database_error(&error)),
        Ok(connection) => Ok(connection),
    }
}

/// True for an error that says that the file is no sound database.
pub(super) fn is_broken(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(Sqlite::DatabaseCorrupt | Sqlite::NotADatabase))
}

/// Replaces the database by an empty one. Processes that have the old one open go on with it until they end.
pub(super) fn replace_database(folder: &Path) -> Result<Connection> {
    let lock = private::file(&folder.join("store.lock"))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|e| Error::io(format_args!("cannot lock {}", folder.display()), &e))?;
    // Another process may have replaced it while this one waited for the lock.
    let connection = match open_as_it_is(folder) {
        Ok(connection) if is_database_sound(&connection) => connection,
        Err(DatabaseRefusal::Sqlite(error)) => return Err(store_database_error(&error)),
        _ => {
            tracing::warn!(folder = %folder.display(), "the store was broken or of another version and begins anew");
            for ending in ["", "-wal", "-shm"] {
                std::fs::remove_file(folder.join(format!("{FILE}{ending}"))).ok();
            }
            open_as_it_is(folder).map_err(|refusal| match refusal {
                DatabaseRefusal::Sqlite(error) => store_database_error(&error),
                DatabaseRefusal::Unusable => Error::internal("the store was broken again as soon as it was made anew"),
            })?
        }
    };
    drop(lock);
    Ok(connection)
}

pub(super) fn store_database_error(error: &rusqlite::Error) -> Error {
    Error::internal(format!("the store cannot be used: {error}"))
}

enum DatabaseRefusal {
    /// Broken, or with other tables than this program's.
    Unusable,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for DatabaseRefusal {
    fn from(error: rusqlite::Error) -> Self {
        if is_broken(&error) { Self::Unusable } else { Self::Sqlite(error) }
    }
}

fn open_as_it_is(folder: &Path) -> Result<Connection, DatabaseRefusal> {
    let mut connection = open_shared(&database_path(folder), BUSY)?;
    // A power cut may lose the last entries. It cannot leave half of one: the log is replayed whole or not at all.
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update_and_check(None, "journal_size_limit", 16 << 20, |_| Ok(()))?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Deferred)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    drop(transaction);
    if found == VERSION {
        return Ok(connection);
    }
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    match transaction.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? {
        0 => {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
        }
        VERSION => drop(transaction),
        _ => return Err(DatabaseRefusal::Unusable),
    }
    Ok(connection)
}

fn is_database_sound(connection: &Connection) -> bool {
    connection
        .pragma_query_value(None, "quick_check", |row| row.get::<_, String>(0))
        .is_ok_and(|verdict| verdict == "ok")
}
