//! The tables of the call log, and how an older database becomes a newer one.

use rusqlite::{Connection, TransactionBehavior};

/// One step per version; a step that was released is never changed, another is added.
const STEPS: [&str; 2] = [CALLS, FEEDBACK];

const CALLS: &str = "
    CREATE TABLE sessions (
        id       TEXT PRIMARY KEY NOT NULL,
        begun_ms INTEGER NOT NULL,
        last_ms  INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE calls (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        session     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        tool        TEXT NOT NULL,
        outcome     TEXT NOT NULL,
        task        TEXT,
        at_ms       INTEGER NOT NULL,
        elapsed_ms  INTEGER NOT NULL,
        reply_bytes INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX calls_by_session ON calls (session, id);
    CREATE TABLE files (
        call   INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
        file   TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        passed INTEGER NOT NULL,
        PRIMARY KEY (call, file)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE subjects (
        call    INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
        subject TEXT NOT NULL,
        PRIMARY KEY (call, subject)
    ) STRICT, WITHOUT ROWID;
";

/// Outcomes outlive the sessions they were told in.
const FEEDBACK: &str = "
    CREATE TABLE feedback (
        subject  TEXT PRIMARY KEY NOT NULL,
        at_ms    INTEGER NOT NULL,
        session  TEXT,
        verdict  TEXT NOT NULL,
        rule     TEXT,
        category TEXT,
        file     TEXT,
        tool     TEXT,
        comment  TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feedback_by_time ON feedback (at_ms);
";

/// The version this program writes.
const VERSION: i64 = STEPS.len() as i64;

/// Why a database cannot be brought up to date.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A later program wrote it; its tables are not ours to guess.
    Newer(i64),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Brings a database to this program's version; two processes may do so at once.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Refusal> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    if found > VERSION {
        return Err(Refusal::Newer(found));
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or_default()) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
