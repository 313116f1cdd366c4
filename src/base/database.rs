//! Databases that several processes open, at the same moment too.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::private;

/// How long to wait before the mode of a database is asked for again.
const PAUSE: Duration = Duration::from_millis(2);

/// Opens a database, made when it is not there, which readers read while another writes. Nobody but its owner may read
/// it, links are not followed, and one process waits for another as long as `patience`.
///
/// # Errors
/// What SQLite says.
pub fn open_shared(path: &Path, patience: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    // What cannot be made ready cannot be opened either, and the database says best why.
    private::database(path).ok();
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(patience)?;
    let until = Instant::now() + patience;
    loop {
        // Answers with the mode it could get: some file systems cannot have this one, and any is safe.
        match connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
            // SQLite itself never waits here: two that made a new database at once would wait for each other.
            Err(error) if is_busy(&error) && Instant::now() < until => thread::sleep(PAUSE),
            Err(error) => return Err(error),
            Ok(()) => return Ok(connection),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn many_make_one_database_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let (path, start) = (folder.path().join(format!("{round}.db")), Barrier::new(4));
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        start.wait();
                        let connection = open_shared(&path, Duration::from_secs(10)).unwrap();
                        let mode: String =
                            connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
                        assert_eq!(mode, "wal");
                    });
                }
            });
        }
    }
}
