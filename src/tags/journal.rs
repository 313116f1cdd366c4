//! The journal of a batch: which notes are to become what, written before the first of them is touched.
//!
//! After a kill it tells which notes are done. Doing a batch twice would be wrong: a swap would swap back.

use std::fs::{File, TryLockError};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Profile;
use super::rename::{Renames, Replacement};
use tapps_base::{Error, ErrorCode, FileLock, Result, atomic};
use tapps_sandbox::Boundary;

const FILE: &str = "tags-batch.json";
const LOCK: &str = "tags.lock";
const VERSION: u32 = 1;

/// Largest journal that is read, in bytes: some 500,000 notes.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

/// A batch that has been begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagBatchJournal {
    version: u32,
    /// Also the label of its temporary files.
    pub id: String,
    pub profile: Profile,
    pub nested: bool,
    pub replacements: Vec<Replacement>,
    /// Sorted by path.
    pub notes: Vec<Planned>,
}

/// One note of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// Relative to the vault.
    pub path: String,
    /// SHA-256 of the note before and after.
    pub before: String,
    pub after: String,
}

impl TagBatchJournal {
    #[must_use]
    pub fn new(id: String, renames: &Renames, notes: Vec<Planned>) -> Self {
        Self {
            version: VERSION,
            id,
            profile: renames.profile(),
            nested: renames.nested(),
            replacements: renames.rules().to_vec(),
            notes,
        }
    }

    /// True when it is the journal of the same batch.
    #[must_use]
    pub fn is_of(&self, renames: &Renames) -> bool {
        self.profile == renames.profile() && self.nested == renames.nested() && self.replacements == renames.rules()
    }

    /// The journal that an interrupted batch has left in a vault.
    ///
    /// # Errors
    /// `corrupted_data` for a file that is no journal; `path_denied` or `internal` when it cannot be read.
    pub fn read(vault: &Boundary) -> Result<Option<Self>> {
        let Some(folder) = vault.existing_state_folder()? else { return Ok(None) };
        let path = vault.resolve(&folder.join(FILE).to_string_lossy())?;
        let bytes = match vault.read(&path, MAX_BYTES) {
            Err(error) if error.code() == ErrorCode::FileNotFound => return Ok(None),
            other => other?,
        };
        match serde_json::from_slice::<Self>(&bytes) {
            Ok(journal) if journal.version == VERSION => Ok(Some(journal)),
            _ => Err(Error::new(ErrorCode::CorruptedData, format!("`{path}` is not a journal of this program"))
                .hint(format!("look at what was being replaced, then remove `{path}`"))),
        }
    }

    /// Writes the journal; once this returns a kill cannot lose it.
    ///
    /// # Errors
    /// `path_denied` or `internal` when the folder for the program's state cannot be used.
    pub fn write(&self, vault: &Boundary) -> Result<()> {
        let json =
            serde_json::to_vec(self).map_err(|e| Error::internal(format!("the journal has no JSON form: {e}")))?;
        atomic::write_private(&vault.state_folder()?.join(FILE), &json)
    }

    /// Removes the journal: the batch is over.
    ///
    /// # Errors
    /// `internal` with the system's word.
    pub fn remove(vault: &Boundary) -> Result<()> {
        let Some(folder) = vault.existing_state_folder()? else { return Ok(()) };
        match std::fs::remove_file(folder.join(FILE)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io("cannot remove the journal of the batch", &error))
            }
            _ => Ok(()),
        }
    }
}

/// The right to change a vault; nobody else has it until this is dropped, or the process ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "held, not used")] FileLock);

impl Lock {
    /// Takes the right to change a vault.
    ///
    /// # Errors
    /// `session_locked` when another batch is running.
    pub fn lock_vault(vault: &Boundary) -> Result<Self> {
        let path: PathBuf = vault.state_folder()?.join(LOCK);
        let fault = |error: &std::io::Error| Error::io("cannot lock the vault", error);
        let file = File::options().create(true).append(true).open(path).map_err(|e| fault(&e))?;
        match FileLock::try_acquire(&file) {
            Ok(lock) => Ok(Self(lock)),
            Err(TryLockError::WouldBlock) => {
                Err(Error::new(ErrorCode::SessionLocked, "another batch is changing this vault")
                    .hint("wait until it is done and repeat the call"))
            }
            Err(TryLockError::Error(error)) => Err(fault(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_comes_back_and_goes() {
        let dir = tempfile::tempdir().unwrap();
        let vault = Boundary::open(dir.path()).unwrap();
        assert_eq!(TagBatchJournal::read(&vault).unwrap(), None);
        let rules = [Replacement { old_tag: "a".into(), new_tag: "b".into() }];
        let renames = Renames::new(Profile::Obsidian, false, &rules).unwrap();
        let notes = vec![Planned { path: "n.md".into(), before: "1".into(), after: "2".into() }];
        let journal = TagBatchJournal::new("id".into(), &renames, notes);
        journal.write(&vault).unwrap();
        assert_eq!(TagBatchJournal::read(&vault).unwrap(), Some(journal.clone()));
        assert!(journal.is_of(&renames) && !journal.is_of(&Renames::new(Profile::Obsidian, true, &rules).unwrap()));
        TagBatchJournal::remove(&vault).unwrap();
        TagBatchJournal::remove(&vault).unwrap();
        assert_eq!(TagBatchJournal::read(&vault).unwrap(), None);
        std::fs::write(vault.state_folder().unwrap().join(FILE), "{}").unwrap();
        let error = TagBatchJournal::read(&vault).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CorruptedData);
        assert_eq!(error.message(), "`.tapps-mcp/tags-batch.json` is not a journal of this program");
    }

    #[test]
    fn one_batch_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let vault = Boundary::open(dir.path()).unwrap();
        let lock = Lock::lock_vault(&vault).unwrap();
        assert_eq!(Lock::lock_vault(&vault).unwrap_err().code(), ErrorCode::SessionLocked);
        drop(lock);
        Lock::lock_vault(&vault).unwrap();
    }
}
