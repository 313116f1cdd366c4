//! The folder of entries, shared by all processes of a user.

use std::fs::{File, FileTimes};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::entry::{self, CachedAnswer, DocsCacheKey};
use tapps_base::clock::Clock;
use tapps_base::{Error, Result, atomic, private};

/// The ending of an entry's file.
const ENDING: &str = "entry";
/// An entry larger than this was not written by this program.
const LARGEST: u64 = 64 << 20;
/// The share of the bound that is left after old entries had to go, in percent.
const LEFT_PERCENT: u64 = 90;
/// A use is noted once in this time at most: noting costs a system call, and the order of eviction needs no more.
const USE_GRAIN: Duration = Duration::from_secs(600);
/// What a killed process left behind is removed when it is older than this.
const ABANDONED: Duration = Duration::from_secs(3_600);

/// Kept answers. Each is a file that is replaced as a whole, so that any number of processes may read and write at
/// once; the time of its last use is the file's modification time.
#[derive(Debug, Clone)]
pub struct DocsCache {
    folder: PathBuf,
    most_bytes: u64,
    clock: Arc<dyn Clock>,
}

/// What a cache holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocsCacheSummary {
    pub folder: PathBuf,
    pub entries: u64,
    /// Bytes of all entries.
    pub bytes: u64,
    /// Most bytes they may come to.
    pub most_bytes: u64,
}

/// The outcome of reading every entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    pub sound: u64,
    /// Entries that were damaged and have been removed.
    pub removed: u64,
}

struct CacheFile {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl DocsCache {
    /// A cache in `folder` of at most about `most_bytes`; nothing is made or opened yet.
    #[must_use]
    pub fn new(folder: &Path, most_bytes: u64, clock: Arc<dyn Clock>) -> Self {
        Self { folder: folder.to_owned(), most_bytes, clock }
    }

    /// A cache that never holds anything.
    #[must_use]
    pub fn always_empty(clock: Arc<dyn Clock>) -> Self {
        Self { folder: PathBuf::new(), most_bytes: 0, clock }
    }

    /// The answer kept under a key; a damaged one is removed and counts as not there.
    #[must_use]
    pub fn get(&self, key: &DocsCacheKey) -> Option<CachedAnswer> {
        if self.most_bytes == 0 {
            return None;
        }
        let path = self.path(key);
        let (bytes, used) = read_entry_file(&path)?;
        let now = self.clock.now();
        let Some(found) = entry::decode_entry(key, &bytes, now) else {
            tracing::warn!(entry = key.as_str(), "a damaged entry of the documentation cache is removed");
            std::fs::remove_file(&path).ok();
            return None;
        };
        self.note_use(&path, used, now);
        Some(found)
    }

    /// Keeps an answer, fresh for `lifetime` from now; the entries not used for longest make room.
    ///
    /// # Errors
    /// `internal` when the folder cannot be written. Entries already there are untouched.
    pub fn put(&self, key: &DocsCacheKey, payload: &[u8], lifetime: Duration) -> Result<()> {
        let file = entry::encode_entry(key, self.clock.now(), lifetime, payload);
        let bytes = file.len() as u64;
        if bytes > self.most_bytes.min(LARGEST) {
            return Ok(());
        }
        private::folder(&self.folder)
            .map_err(|e| Error::io(format_args!("cannot make {}", self.folder.display()), &e))?;
        self.make_room(bytes, &self.path(key))?;
        let path = self.path(key);
        atomic::write_private(&path, &file)?;
        set_used(&path, self.clock.now());
        Ok(())
    }

    /// Removes the answer kept under a key, if there is one.
    pub fn remove(&self, key: &DocsCacheKey) {
        std::fs::remove_file(self.path(key)).ok();
    }

    /// What is in it.
    ///
    /// # Errors
    /// `internal` when the folder cannot be read.
    pub fn summary(&self) -> Result<DocsCacheSummary> {
        let kept = self.list_files()?;
        Ok(DocsCacheSummary {
            folder: self.folder.clone(),
            entries: kept.len() as u64,
            bytes: kept.iter().map(|kept| kept.bytes).sum(),
            most_bytes: self.most_bytes,
        })
    }

    /// Removes everything.
    ///
    /// # Errors
    /// `internal` when the folder cannot be read.
    pub fn clear(&self) -> Result<()> {
        for kept in self.list_files()? {
            std::fs::remove_file(kept.path).ok();
        }
        Ok(())
    }

    /// Reads every entry and removes the damaged ones.
    ///
    /// # Errors
    /// `internal` when the folder cannot be read.
    pub fn verify(&self) -> Result<Verified> {
        let mut verified = Verified::default();
        for kept in self.list_files()? {
            let key = read_entry_file(&kept.path).and_then(|(bytes, _)| entry::key_of(&bytes));
            if key.is_some_and(|key| self.path(&key) == kept.path) {
                verified.sound += 1;
            } else if std::fs::remove_file(&kept.path).is_ok() {
                verified.removed += 1;
            }
        }
        Ok(verified)
    }

    fn path(&self, key: &DocsCacheKey) -> PathBuf {
        self.folder.join(format!("{}.{ENDING}", key.as_str()))
    }

    fn note_use(&self, path: &Path, used: SystemTime, now: Duration) {
        let recent = now.saturating_sub(used.duration_since(UNIX_EPOCH).unwrap_or_default()) < USE_GRAIN;
        if !recent {
            set_used(path, now);
        }
    }

    /// Removes entries, longest unused first, until `bytes` more fit.
    fn make_room(&self, bytes: u64, replaced: &Path) -> Result<()> {
        let mut kept = self.list_files()?;
        kept.retain(|kept| kept.path != replaced);
        let mut total: u64 = kept.iter().map(|kept| kept.bytes).sum();
        if total + bytes <= self.most_bytes {
            return Ok(());
        }
        kept.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        for old in kept {
            if total + bytes <= self.most_bytes / 100 * LEFT_PERCENT {
                break;
            }
            std::fs::remove_file(&old.path).ok();
            total = total.saturating_sub(old.bytes);
        }
        Ok(())
    }

    /// All entries; files that a killed process was writing are removed on the way.
    fn list_files(&self) -> Result<Vec<CacheFile>> {
        let failed = |error: &std::io::Error| Error::io(format_args!("cannot read {}", self.folder.display()), error);
        let listing = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(|error| failed(&error))?,
        };
        let mut kept = Vec::new();
        for item in listing {
            let item = item.map_err(|error| failed(&error))?;
            // Another process may have removed it meanwhile.
            let Ok(meta) = item.metadata() else { continue };
            let (path, used) = (item.path(), meta.modified().unwrap_or(UNIX_EPOCH));
            if !meta.is_file() {
                continue;
            }
            if path.extension().is_some_and(|ending| ending == ENDING) {
                kept.push(CacheFile { path, bytes: meta.len(), used });
            } else if self.clock.now().saturating_sub(used.duration_since(UNIX_EPOCH).unwrap_or_default()) > ABANDONED {
                std::fs::remove_file(path).ok();
            }
        }
        Ok(kept)
    }
}

/// The bytes of an entry's file and when it was last used.
fn read_entry_file(path: &Path) -> Option<(Vec<u8>, SystemTime)> {
    let file = File::open(path).ok()?;
    let used = file.metadata().and_then(|meta| meta.modified()).unwrap_or(UNIX_EPOCH);
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some((bytes, used))
}

/// The order of eviction follows the program's clock, so that it can be tested; not being able to set it is no failure.
fn set_used(path: &Path, now: Duration) {
    if let Ok(file) = File::options().write(true).open(path) {
        file.set_times(FileTimes::new().set_modified(UNIX_EPOCH + now)).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::HandClock;
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn cache(most: u64) -> (tempfile::TempDir, Arc<HandClock>, DocsCache) {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(HandClock::default());
        let cache = DocsCache::new(&folder.path().join("docs"), most, clock.clone());
        (folder, clock, cache)
    }

    #[test]
    fn what_is_put_is_there_until_removed_and_stale_after_its_lifetime() {
        let (_folder, clock, cache) = cache(1 << 20);
        let key = DocsCacheKey::from_parts(&["a"]);
        assert_eq!(cache.get(&key), None);
        assert_eq!(cache.summary().unwrap().entries, 0);
        cache.put(&key, b"one", DAY).unwrap();
        cache.put(&key, b"two", DAY).unwrap();
        assert_eq!(cache.get(&key).unwrap().payload, b"two");
        clock.advance(DAY);
        assert!(cache.get(&key).unwrap().stale);
        assert_eq!(cache.summary().unwrap().entries, 1);
        cache.remove(&key);
        assert_eq!(cache.get(&key), None);
    }

    #[test]
    fn one_that_is_off_holds_nothing() {
        let cache = DocsCache::always_empty(Arc::new(HandClock::default()));
        cache.put(&DocsCacheKey::from_parts(&["a"]), b"one", DAY).unwrap();
        assert_eq!(cache.get(&DocsCacheKey::from_parts(&["a"])), None);
    }

    #[test]
    fn a_damaged_entry_is_dropped() {
        let (_folder, _clock, cache) = cache(1 << 20);
        let damages: [fn(&mut Vec<u8>); 3] = [|b| b.truncate(b.len() / 2), |b| b[200] ^= 4, Vec::clear];
        for (number, damage) in damages.into_iter().enumerate() {
            let key = DocsCacheKey::from_parts(&[&number.to_string()]);
            cache.put(&key, &[b'x'; 400], DAY).unwrap();
            let mut bytes = std::fs::read(cache.path(&key)).unwrap();
            damage(&mut bytes);
            std::fs::write(cache.path(&key), bytes).unwrap();
            assert_eq!(cache.get(&key), None);
            assert!(!cache.path(&key).exists());
        }
        let (moved, sound) = (DocsCacheKey::from_parts(&["moved"]), DocsCacheKey::from_parts(&["sound"]));
        cache.put(&sound, b"x", DAY).unwrap();
        std::fs::copy(cache.path(&sound), cache.path(&moved)).unwrap();
        assert_eq!(cache.verify().unwrap(), Verified { sound: 1, removed: 1 });
        assert_eq!(cache.verify().unwrap(), Verified { sound: 1, removed: 0 });
        cache.clear().unwrap();
        assert_eq!(cache.summary().unwrap().bytes, 0);
    }

    #[test]
    fn the_longest_unused_go_first_and_the_bound_holds() {
        let (_folder, clock, cache) = cache(10_000);
        let key = |number: u32| DocsCacheKey::from_parts(&[&number.to_string()]);
        for number in 0..8 {
            cache.put(&key(number), &[7; 1_000], DAY).unwrap();
            clock.advance(Duration::from_secs(700));
        }
        // The oldest is used again and therefore stays.
        assert!(cache.get(&key(0)).is_some());
        clock.advance(Duration::from_secs(700));
        for number in 8..10 {
            cache.put(&key(number), &[7; 1_000], DAY).unwrap();
        }
        let summary = cache.summary().unwrap();
        assert!(summary.bytes <= 10_000, "{summary:?}");
        let left: Vec<u32> = (0..10).filter(|number| cache.get(&key(*number)).is_some()).collect();
        assert_eq!(left, [0, 3, 4, 5, 6, 7, 8, 9]);
        cache.put(&key(99), &[7; 20_000], DAY).unwrap();
        assert_eq!(cache.get(&key(99)), None, "larger than the whole cache");
        assert_eq!(cache.summary().unwrap(), summary);
    }

    #[test]
    fn leftovers_of_a_killed_process_go_after_an_hour() {
        let (_folder, clock, cache) = cache(10_000);
        cache.put(&DocsCacheKey::from_parts(&["a"]), b"x", DAY).unwrap();
        let leftover = cache.folder.join(".tapps-tmp-abc");
        std::fs::write(&leftover, b"half").unwrap();
        set_used(&leftover, clock.now());
        cache.put(&DocsCacheKey::from_parts(&["b"]), b"x", DAY).unwrap();
        assert!(leftover.exists(), "it may be another process at work");
        clock.advance(Duration::from_secs(4_000));
        cache.put(&DocsCacheKey::from_parts(&["c"]), b"x", DAY).unwrap();
        assert!(!leftover.exists());
        assert_eq!(cache.summary().unwrap().entries, 3);
    }
}
