//! What was found out about files by running something or by reading them, remembered for as long as the files are the same.
//!
//! A file is the same while device, inode, size, mode and times are. What cannot be remembered is found out again: that
//! costs time and never changes an answer.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use tapps_base::{digest, private};

use super::platform;

/// Longest entry that is read, in bytes.
const MOST: u64 = 4 << 20;
/// Seconds in which the clock of a file system may not have moved on since a change.
const UNSETTLED: i64 = 2;

/// The folder of what is remembered.
#[derive(Debug)]
pub struct FileMemory(PathBuf);

/// Something with the state that the files had from which it was found out.
#[derive(Debug, Serialize, Deserialize)]
struct RememberedEntry<T> {
    value: T,
    /// None where nothing was.
    files: Vec<(PathBuf, Option<[i64; 7]>)>,
}

impl FileMemory {
    pub(super) fn in_cache_dir(cache_dir: &Path) -> Self {
        Self(cache_dir.join("interpreters"))
    }

    /// What is remembered under `key`, unless one of its files is no longer as it was.
    pub(super) fn recall<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let mut text = Vec::new();
        std::fs::File::open(self.entry_path(key)).ok()?.take(MOST).read_to_end(&mut text).ok()?;
        let entry: RememberedEntry<T> = serde_json::from_slice(&text).ok()?;
        entry.files.iter().all(|(path, state)| state_of_file(path) == *state).then_some(entry.value)
    }

    /// Remembers `value` for as long as `files` stay as they were when `states` was taken of them. Files that changed just
    /// now could change again unseen, so nothing is remembered of them.
    pub(super) fn remember<T: Serialize>(&self, key: &str, value: &T, files: FileStates) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        self.remember_at(i64::try_from(now).unwrap_or(i64::MAX), key, value, files);
    }

    /// As [`FileMemory::remember`], at a second since the Unix epoch.
    fn remember_at<T: Serialize>(&self, now: i64, key: &str, value: &T, files: FileStates) {
        let settled = now - UNSETTLED;
        if files.0.iter().any(|(_, state)| state.is_some_and(|state| state[CHANGED] >= settled)) {
            return;
        }
        let Ok(text) = serde_json::to_vec(&RememberedEntry { value, files: files.0 }) else { return };
        if private::folder(&self.0).is_err() {
            return;
        }
        // A disk that is full or read-only costs the memory and nothing else.
        if let Ok(mut file) = tempfile::NamedTempFile::new_in(&self.0)
            && file.write_all(&text).is_ok()
        {
            file.persist(self.entry_path(key)).ok();
        }
    }

    fn entry_path(&self, key: &str) -> PathBuf {
        self.0.join(format!("{}.json", digest::sha256(key.as_bytes())))
    }
}

/// Where in the state of a file the time of its last change is.
const CHANGED: usize = 4;

/// The state of some files at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileStates(Vec<(PathBuf, Option<[i64; 7]>)>);

impl FileStates {
    /// Takes the state of files and folders, behind links.
    pub(super) fn of_files<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(paths.into_iter().map(|path| (path.to_owned(), state_of_file(path))).collect())
    }
}

fn state_of_file(path: &Path) -> Option<[i64; 7]> {
    std::fs::metadata(path).ok().map(|meta| platform::full_stat_key(&meta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_remembered_until_one_of_its_files_changes() {
        let folder = tempfile::tempdir().unwrap();
        let memory = FileMemory::in_cache_dir(&folder.path().join("cache"));
        let (file, absent) = (folder.path().join("file"), folder.path().join("absent"));
        std::fs::write(&file, "one").unwrap();
        let states = || FileStates::of_files([file.as_path(), absent.as_path()]);
        memory.remember("key", &7, states());
        assert_eq!(memory.recall::<u32>("key"), None, "the file changed just now");
        memory.remember_at(i64::MAX, "key", &7, states());
        assert_eq!(memory.recall::<u32>("key"), Some(7));
        assert_eq!(memory.recall::<u32>("other"), None);
        std::fs::write(&absent, "").unwrap();
        assert_eq!(memory.recall::<u32>("key"), None, "something is where nothing was");
        std::fs::remove_file(&absent).unwrap();
        assert_eq!(memory.recall::<u32>("key"), Some(7));

        // The same size and the same time of the content.
        let modified = std::fs::metadata(&file).unwrap().modified().unwrap();
        std::fs::write(&file, "two").unwrap();
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
        assert_eq!(memory.recall::<u32>("key"), None);
        memory.remember_at(i64::MAX, "key", &8, states());
        assert_eq!(memory.recall::<u32>("key"), Some(8));
    }
}
