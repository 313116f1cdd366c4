//! Getting and putting entries, many at a time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use serde::Serialize;

use super::database;
use super::entry::{EntryKey, entry_seal};
use tapps_base::Result;
use tapps_base::clock::{Clock as _, SystemClock};

/// How long a use is remembered as one: an entry is marked as used once in this many seconds at most.
const USE_SECONDS: u64 = 3_600;
/// The share of the bound that is left after old entries had to go, in percent.
const LEFT_PERCENT: u64 = 90;

/// Entries in a folder of its own. A store that cannot be used holds nothing and keeps nothing: it makes work faster and
/// never makes it fail.
#[derive(Debug)]
pub struct EntryStore {
    folder: PathBuf,
    /// Bytes.
    most: u64,
    connection: Mutex<ConnectionState>,
    /// Since the process started: keys that were asked for, and those that had bytes.
    asked: AtomicU64,
    found: AtomicU64,
}

#[derive(Debug)]
enum ConnectionState {
    Closed,
    Open(Connection),
    /// It could not be opened, and the reason has been logged.
    Unusable,
}

/// What a store holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StoreSummary {
    pub folder: PathBuf,
    /// Bytes on disk.
    pub bytes: u64,
    /// Most bytes it may come to.
    pub most_bytes: u64,
    pub entries: u64,
    /// Entries and their bytes by kind.
    pub kinds: BTreeMap<String, (u64, u64)>,
}

/// The outcome of reading every entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Entries whose bytes are those that were put.
    pub sound: u64,
    /// Entries that were not and have been removed.
    pub removed: u64,
}

struct StoredEntry {
    seal: Vec<u8>,
    payload: Vec<u8>,
    /// The hour of the last use.
    used: i64,
}

impl EntryStore {
    /// A store in `folder` of about `most` bytes; nothing is opened yet.
    #[must_use]
    pub fn new(folder: &Path, most: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            most,
            connection: Mutex::new(ConnectionState::Closed),
            asked: AtomicU64::new(0),
            found: AtomicU64::new(0),
        }
    }

    /// The bytes of each key, where there are any; an entry whose bytes are not those that were put is removed.
    #[must_use]
    pub fn get(&self, keys: &[EntryKey]) -> Vec<Option<Vec<u8>>> {
        self.asked.fetch_add(keys.len() as u64, Ordering::Relaxed);
        let found =
            self.try_with_connection("read", |connection| read_entries_of_keys(connection, keys)).unwrap_or_default();
        if found.len() != keys.len() {
            return vec![None; keys.len()];
        }
        let now = current_use_hour();
        let verified: Vec<(Option<Vec<u8>>, bool)> = found
            .into_par_iter()
            .zip(keys)
            .map(|(found, key)| match found {
                Some(found) if entry_seal(key, &found.payload)[..] == found.seal[..] => {
                    (Some(found.payload), found.used != now)
                }
                Some(_) => (None, true),
                None => (None, false),
            })
            .collect();
        let marked = |sound: bool| {
            let parts = verified.iter().zip(keys);
            parts.filter(move |((payload, due), _)| *due && payload.is_some() == sound).map(|(_, key)| *key).collect()
        };
        let (stale, damaged): (Vec<EntryKey>, Vec<EntryKey>) = (marked(true), marked(false));
        if !damaged.is_empty() {
            tracing::warn!(entries = damaged.len(), folder = %self.folder.display(), "damaged entries are removed");
        }
        if !(stale.is_empty() && damaged.is_empty()) {
            self.try_with_connection("mark", |connection| mark_used_and_damaged(connection, &stale, &damaged, now));
        }
        let hits = verified.iter().filter(|(payload, _)| payload.is_some()).count();
        self.found.fetch_add(hits as u64, Ordering::Relaxed);
        verified.into_iter().map(|(payload, _)| payload).collect()
    }

    /// How many keys were asked for since the process started, and how many of them had bytes.
    #[must_use]
    pub fn use_counts(&self) -> (u64, u64) {
        (self.asked.load(Ordering::Relaxed), self.found.load(Ordering::Relaxed))
    }

    /// Keeps entries of one kind, all or none of them; entries not used for the longest time make room.
    pub fn put(&self, kind: &str, entries: &[(EntryKey, Vec<u8>)]) {
        if !entries.is_empty() {
            self.try_with_connection("write", |connection| {
                write_store_entries(connection, kind, entries, current_use_hour(), self.most)
            });
        }
    }

    /// What is in it.
    ///
    /// # Errors
    /// `internal` when it cannot be read.
    pub fn summary(&self) -> Result<StoreSummary> {
        self.require_connection(|connection| {
            let mut summary =
                StoreSummary { folder: self.folder.clone(), most_bytes: self.most, ..StoreSummary::default() };
            summary.bytes = live_bytes(connection)?;
            let mut query =
                connection.prepare("SELECT kind, count(*), sum(length(payload)) FROM entry GROUP BY kind")?;
            let rows = query
                .query_map([], |row| Ok((row.get(0)?, (count_from_sql(row.get(1)?), count_from_sql(row.get(2)?)))))?;
            summary.kinds = rows.collect::<rusqlite::Result<_>>()?;
            summary.entries = summary.kinds.values().map(|(entries, _)| entries).sum();
            Ok(summary)
        })
    }

    /// Removes everything.
    ///
    /// # Errors
    /// `internal` when it cannot be written.
    pub fn clear(&self) -> Result<()> {
        self.require_connection(|connection| {
            connection.execute("DELETE FROM entry", [])?;
            connection.execute_batch("VACUUM")?;
            connection.pragma_update_and_check(None, "wal_checkpoint", "truncate", |_| Ok(()))
        })
    }

    /// Reads every entry and removes those whose bytes are not those that were put.
    ///
    /// # Errors
    /// `internal` when it cannot be read.
    pub fn verify(&self) -> Result<Verified> {
        self.require_connection(|connection| {
            let (mut verified, mut damaged) = (Verified::default(), Vec::new());
            {
                let mut query = connection.prepare("SELECT rowid, key, seal, payload FROM entry")?;
                let mut rows = query.query([])?;
                while let Some(row) = rows.next()? {
                    let (key, sealed): (Vec<u8>, Vec<u8>) = (row.get(1)?, row.get(2)?);
                    let payload: Vec<u8> = row.get(3)?;
                    match <[u8; 32]>::try_from(key) {
                        Ok(key) if entry_seal(&EntryKey(key), &payload)[..] == sealed[..] => verified.sound += 1,
                        _ => damaged.push(row.get::<_, i64>(0)?),
                    }
                }
            }
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for row in &damaged {
                verified.removed += transaction.execute("DELETE FROM entry WHERE rowid = ?1", [row])? as u64;
            }
            transaction.commit()?;
            Ok(verified)
        })
    }

    /// Does `work`, or logs why not and gives nothing.
    fn try_with_connection<T>(&self, what: &str, work: impl Fn(&mut Connection) -> rusqlite::Result<T>) -> Option<T> {
        let mut state = self.lock_connection();
        if matches!(*state, ConnectionState::Unusable) {
            return None;
        }
        match self.with_connection(&mut state, work) {
            Ok(value) => Some(value),
            Err(error) => {
                tracing::debug!(%error, what, folder = %self.folder.display(), "the store is left out");
                None
            }
        }
    }

    fn require_connection<T>(&self, work: impl Fn(&mut Connection) -> rusqlite::Result<T>) -> Result<T> {
        self.with_connection(&mut self.lock_connection(), work)
    }

    /// Does `work` on the database; a broken one is made anew, and the work done once more.
    fn with_connection<T>(
        &self,
        state: &mut ConnectionState,
        work: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        if !matches!(state, ConnectionState::Open(_)) {
            *state = match database::open_store_database(&self.folder) {
                Ok(connection) => ConnectionState::Open(connection),
                Err(error) => {
                    *state = ConnectionState::Unusable;
                    return Err(error);
                }
            };
        }
        let ConnectionState::Open(connection) = state else {
            return Err(tapps_base::Error::internal("the store is closed"));
        };
        match work(connection) {
            Err(error) if database::is_broken(&error) => {
                *state = ConnectionState::Closed;
                let mut renewed = database::replace_database(&self.folder)?;
                let result = work(&mut renewed).map_err(|e| database::store_database_error(&e));
                *state = ConnectionState::Open(renewed);
                result
            }
            result => result.map_err(|e| database::store_database_error(&e)),
        }
    }

    fn lock_connection(&self) -> MutexGuard<'_, ConnectionState> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_entries_of_keys(connection: &mut Connection, keys: &[EntryKey]) -> rusqlite::Result<Vec<Option<StoredEntry>>> {
    // One transaction, so that the lock on the file is taken once.
    let transaction = connection.transaction()?;
    let found = {
        let mut query = transaction.prepare_cached("SELECT seal, payload, used FROM entry WHERE key = ?1")?;
        let mut one = |key: &EntryKey| {
            let row = |row: &rusqlite::Row<'_>| {
                Ok(StoredEntry { seal: row.get(0)?, payload: row.get(1)?, used: row.get(2)? })
            };
            query.query_row([&key.0[..]], row).optional()
        };
        keys.iter().map(&mut one).collect::<rusqlite::Result<Vec<_>>>()?
    };
    transaction.commit()?;
    Ok(found)
}

fn mark_used_and_damaged(
    connection: &mut Connection,
    used: &[EntryKey],
    damaged: &[EntryKey],
    now: i64,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut update = transaction.prepare_cached("UPDATE entry SET used = ?2 WHERE key = ?1")?;
        for key in used {
            update.execute(params![&key.0[..], now])?;
        }
        let mut delete = transaction.prepare_cached("DELETE FROM entry WHERE key = ?1")?;
        for key in damaged {
            delete.execute([&key.0[..]])?;
        }
    }
    transaction.commit()
}

fn write_store_entries(
    connection: &mut Connection,
    kind: &str,
    entries: &[(EntryKey, Vec<u8>)],
    now: i64,
    most: u64,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut insert = transaction.prepare_cached(
            "INSERT OR REPLACE INTO entry (key, kind, seal, used, payload) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for (key, payload) in entries {
            insert.execute(params![&key.0[..], kind, &entry_seal(key, payload)[..], now, payload])?;
        }
    }
    if live_bytes(&transaction)? > most {
        make_room(&transaction, most / 100 * LEFT_PERCENT)?;
    }
    transaction.commit()
}

/// Removes the entries used longest ago, and of those the ones put first, until `most` bytes are left.
fn make_room(connection: &Connection, most: u64) -> rusqlite::Result<()> {
    while live_bytes(connection)? > most {
        let removed = connection.execute(
            "DELETE FROM entry WHERE rowid IN (SELECT rowid FROM entry ORDER BY used, rowid \
             LIMIT 1 + (SELECT count(*) FROM entry) / 20)",
            [],
        )?;
        if removed == 0 {
            break;
        }
    }
    Ok(())
}

/// Bytes of the pages that hold something.
fn live_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get(0).map(count_from_sql));
    Ok((pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?)
}

/// A count of the database's, which knows signed numbers only.
fn count_from_sql(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

fn current_use_hour() -> i64 {
    i64::try_from(SystemClock.now().as_secs() / USE_SECONDS).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyBuilder;

    fn key(number: u32) -> EntryKey {
        KeyBuilder::new("test").with_part(number.to_le_bytes()).finish_key()
    }

    fn entries(numbers: std::ops::Range<u32>, bytes: usize) -> Vec<(EntryKey, Vec<u8>)> {
        numbers.map(|number| (key(number), vec![number as u8; bytes])).collect()
    }

    fn store(most: u64) -> (tempfile::TempDir, EntryStore) {
        let folder = tempfile::tempdir().unwrap();
        let store = EntryStore::new(&folder.path().join("a/b"), most);
        (folder, store)
    }

    fn sql(store: &EntryStore, text: &str) {
        Connection::open(database::database_path(&store.folder)).unwrap().execute_batch(text).unwrap();
    }

    #[test]
    fn what_was_put_is_got_also_by_another_process() {
        let (_folder, store) = store(1 << 20);
        assert_eq!(store.get(&[key(1)]), [None]);
        store.put("x", &entries(0..3, 100));
        store.put("y", &entries(3..4, 5));
        let other = EntryStore::new(&store.folder, 1 << 20);
        assert_eq!(other.get(&[key(3), key(9), key(0)]), [Some(vec![3; 5]), None, Some(vec![0; 100])]);
        let summary = store.summary().unwrap();
        assert_eq!((summary.entries, summary.kinds["x"], summary.kinds["y"]), (4, (3, 300), (1, 5)));
        store.clear().unwrap();
        assert_eq!(other.get(&[key(3)]), [None]);
    }

    #[test]
    fn changed_cut_and_exchanged_entries_are_not_given_out() {
        let (_folder, store) = store(1 << 20);
        for damage in [
            "UPDATE entry SET payload = zeroblob(100) WHERE rowid = 2",
            "UPDATE entry SET payload = substr(payload, 1, 50) WHERE rowid = 2",
            "UPDATE entry SET seal = zeroblob(32) WHERE rowid = 2",
            "UPDATE entry SET payload = (SELECT payload FROM entry WHERE rowid = 1), \
             seal = (SELECT seal FROM entry WHERE rowid = 1) WHERE rowid = 2",
        ] {
            store.clear().unwrap();
            store.put("x", &entries(1..4, 100));
            sql(&store, damage);
            assert_eq!(store.get(&[key(1), key(2)]), [Some(vec![1; 100]), None], "{damage}");
            assert_eq!(store.summary().unwrap().entries, 2, "{damage}");
            store.put("x", &entries(2..3, 100));
            assert_eq!(store.get(&[key(2)]), [Some(vec![2; 100])]);
        }
    }

    #[test]
    fn verifying_removes_what_is_damaged() {
        let (_folder, store) = store(1 << 20);
        store.put("x", &entries(0..10, 100));
        sql(&store, "UPDATE entry SET payload = zeroblob(7) WHERE rowid IN (3, 4)");
        assert_eq!(store.verify().unwrap(), Verified { sound: 8, removed: 2 });
        assert_eq!(store.verify().unwrap(), Verified { sound: 8, removed: 0 });
    }

    #[test]
    fn the_least_recently_used_make_room() {
        let (_folder, store) = store(400_000);
        store.put("x", &entries(0..50, 4_000));
        sql(&store, "UPDATE entry SET used = 1");
        // Using an old entry makes it a new one.
        assert!(store.get(&[key(7)])[0].is_some());
        for start in (50..300).step_by(50) {
            store.put("x", &entries(start..start + 50, 4_000));
            assert!(store.summary().unwrap().bytes <= 400_000);
        }
        let left = store.get(&[key(7), key(8), key(299)]);
        assert_eq!((left[1].is_some(), left[2].is_some()), (false, true));
        let (_folder, store) = self::store(400_000);
        store.put("x", &entries(0..50, 4_000));
        sql(&store, "UPDATE entry SET used = 1");
        assert!(store.get(&[key(7)])[0].is_some());
        store.put("x", &entries(50..100, 4_000));
        let left = store.get(&[key(7), key(0)]);
        assert_eq!((left[0].is_some(), left[1].is_some()), (true, false));
    }

    #[test]
    fn a_broken_database_begins_anew() {
        for broken in [&b"not a database at all, but long enough to have a header of its own"[..], b"SQLite format 3\0"]
        {
            let (_folder, store) = store(1 << 20);
            std::fs::create_dir_all(&store.folder).unwrap();
            std::fs::write(database::database_path(&store.folder), broken).unwrap();
            store.put("x", &entries(0..1, 10));
            assert_eq!(store.get(&[key(0)]), [Some(vec![0; 10])]);
        }
        let (_folder, store) = store(1 << 20);
        store.put("x", &entries(0..1, 10));
        sql(&store, "PRAGMA user_version = 99");
        let later = EntryStore::new(&store.folder, 1 << 20);
        assert_eq!(later.get(&[key(0)]), [None]);
        later.put("x", &entries(0..1, 10));
        assert_eq!(later.get(&[key(0)]), [Some(vec![0; 10])]);
    }

    #[test]
    fn a_store_that_cannot_be_made_keeps_nothing_and_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let store = EntryStore::new(&folder.path().join("file/below"), 1 << 20);
        store.put("x", &entries(0..1, 10));
        assert_eq!(store.get(&[key(0)]), [None]);
        assert!(store.summary().is_err());
    }

    #[test]
    fn many_at_once_lose_nothing() {
        let (_folder, store) = store(64 << 20);
        let folder = &store.folder;
        std::thread::scope(|scope| {
            for worker in 0..8 {
                scope.spawn(move || {
                    let store = EntryStore::new(folder, 64 << 20);
                    for round in 0..10 {
                        let start = worker * 1_000 + round * 10;
                        store.put("x", &entries(start..start + 10, 200));
                    }
                });
            }
        });
        let keys: Vec<EntryKey> = (0..8).flat_map(|worker| (0..100).map(move |n| key(worker * 1_000 + n))).collect();
        assert!(store.get(&keys).iter().all(Option::is_some));
    }
}
