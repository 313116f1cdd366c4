//! What was changed and what stood there before, so that it can be put back byte for byte.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::target::SetupFileLocation;
use tapps_base::clock;
use tapps_base::clock::Clock as _;
use tapps_base::{Error, ErrorCode, Result, atomic, digest, private};
use tapps_sandbox::Boundary;

/// Version of the form of a record.
const SCHEMA: u32 = 1;

/// A folder of records, the newest with the highest number.
#[derive(Debug, Clone)]
pub struct SetupJournal {
    folder: PathBuf,
}

/// One run that changed something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    schema: u32,
    at: String,
    files: Vec<ChangedFileRecord>,
    /// Folders that were made, the outermost first.
    folders: Vec<SetupFileLocation>,
}

/// One file that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ChangedFileRecord {
    target: SetupFileLocation,
    /// SHA-256 of what stood there; none when there was no file.
    before: Option<String>,
    /// SHA-256 of what was written; none when the file was removed.
    after: Option<String>,
    /// The file in the folder of the journal that holds the earlier bytes.
    backup: Option<String>,
}

/// What was put back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Undone {
    /// Files that have their earlier bytes again.
    pub restored: Vec<String>,
    /// Files that were new and are gone.
    pub removed: Vec<String>,
}

/// A file, the bytes it has, if it is there, and those it is about to have, if it stays.
type Changed<'a> = (&'a SetupFileLocation, Option<&'a [u8]>, Option<&'a [u8]>);

impl SetupJournal {
    /// The journal in a folder, which is made when something is recorded.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps the earlier bytes and what is about to be written; has to be done before anything is.
    ///
    /// # Errors
    /// `internal` when the folder cannot be written.
    pub(super) fn record(&self, files: &[Changed<'_>], folders: Vec<SetupFileLocation>) -> Result<()> {
        private::folder(&self.folder)
            .map_err(|e| Error::io(format_args!("cannot make {}", self.folder.display()), &e))?;
        let number = self.last_record_number()?.unwrap_or_default() + 1;
        let mut kept = Vec::new();
        for (index, (target, before, after)) in files.iter().enumerate() {
            let backup = match before {
                None => None,
                Some(before) => {
                    let name = format!("{number:06}.{index}.before");
                    atomic::write_private(&self.folder.join(&name), before)?;
                    Some(name)
                }
            };
            let (before, after) = (before.map(digest::sha256), after.map(digest::sha256));
            kept.push(ChangedFileRecord { target: (*target).clone(), before, after, backup });
        }
        let record = Record { schema: SCHEMA, at: clock::rfc3339(clock::SystemClock.now()), files: kept, folders };
        let text = serde_json::to_string_pretty(&record)
            .map_err(|e| Error::internal(format!("the journal has no JSON form: {e}")))?;
        atomic::write_private(&self.record_file(number), (text + "\n").as_bytes())
    }

    /// Puts back what the newest record kept, or nothing at all.
    ///
    /// # Errors
    /// `file_not_found` when nothing is recorded; `conflict` when a file was changed since; `corrupted_data` when a backup
    /// is not what was kept.
    pub fn undo(&self, boundary: &Boundary) -> Result<Undone> {
        let number = self.last_record_number()?.ok_or_else(|| {
            Error::new(ErrorCode::FileNotFound, format!("there is nothing to undo in {}", self.folder.display()))
                .hint("name the scope that was set up: --scope project or --scope user")
        })?;
        let record = self.read(number)?;
        let mut steps = Vec::new();
        for kept in &record.files {
            let now = kept.target.read(boundary)?;
            let digest = now.as_deref().map(digest::sha256);
            if digest == kept.before {
                // A run that was interrupted never came to it.
                continue;
            }
            if digest != kept.after {
                return Err(self.changed_since_error(kept));
            }
            steps.push((&kept.target, now, self.backup(kept)?));
        }
        let mut undone = Undone::default();
        for (target, now, before) in steps {
            match (before, now) {
                (Some(before), now) => {
                    target.write(boundary, now.as_deref(), &before)?;
                    undone.restored.push(target.to_string());
                }
                (None, Some(now)) => {
                    target.remove(boundary, &now)?;
                    undone.removed.push(target.to_string());
                }
                (None, None) => {}
            }
        }
        record.folders.iter().rev().for_each(|folder| folder.remove_if_empty(boundary));
        self.forget(number, &record)?;
        Ok(undone)
    }

    fn changed_since_error(&self, kept: &ChangedFileRecord) -> Error {
        let earlier = match &kept.backup {
            Some(name) => format!("its earlier bytes are in {}", self.folder.join(name).display()),
            None => "it was new then".to_owned(),
        };
        let message = format!("{} was changed since; nothing was put back", kept.target);
        Error::new(ErrorCode::Conflict, message).hint(format!("take out by hand what is not wanted; {earlier}"))
    }

    fn backup(&self, kept: &ChangedFileRecord) -> Result<Option<Vec<u8>>> {
        let Some(name) = &kept.backup else { return Ok(None) };
        let path = self.folder.join(name);
        let spoiled = |why: String| {
            Error::new(ErrorCode::CorruptedData, format!("the backup {} {why}; nothing was put back", path.display()))
                .hint(format!("restore {} from version control or another backup", kept.target))
        };
        let bytes = std::fs::read(&path).map_err(|error| spoiled(format!("cannot be read: {error}")))?;
        if Some(digest::sha256(&bytes)) != kept.before {
            return Err(spoiled("is not what was kept".to_owned()));
        }
        Ok(Some(bytes))
    }

    fn read(&self, number: u32) -> Result<Record> {
        let path = self.record_file(number);
        let spoiled = |why: String| {
            Error::new(ErrorCode::CorruptedData, format!("{} {why}", path.display()))
                .hint("the backups beside it hold the earlier bytes")
        };
        let bytes = std::fs::read(&path).map_err(|error| spoiled(format!("cannot be read: {error}")))?;
        let record: Record =
            serde_json::from_slice(&bytes).map_err(|error| spoiled(format!("is no record: {error}")))?;
        if record.schema == SCHEMA { Ok(record) } else { Err(spoiled(format!("has the form {}", record.schema))) }
    }

    fn forget(&self, number: u32, record: &Record) -> Result<()> {
        let mut backups =
            record.files.iter().filter_map(|kept| kept.backup.as_ref()).map(|name| self.folder.join(name));
        let remove = |path: &Path| match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(format_args!("cannot remove {}", path.display()), &error))
            }
            _ => Ok(()),
        };
        // The record goes first: backups without one are only litter.
        remove(&self.record_file(number))?;
        backups.try_for_each(|path| remove(&path))?;
        // With the last record go the folders that were made for it; one that holds anything else stays.
        if std::fs::remove_dir(&self.folder).is_ok()
            && let Some(parent) = self.folder.parent()
        {
            std::fs::remove_dir(parent).ok();
        }
        Ok(())
    }

    fn record_file(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{number:06}.json"))
    }

    fn last_record_number(&self) -> Result<Option<u32>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(format_args!("cannot read {}", self.folder.display()), &error)),
        };
        let number = |name: &str| name.strip_suffix(".json")?.parse::<u32>().ok();
        Ok(entries.flatten().filter_map(|entry| number(entry.file_name().to_str()?)).max())
    }
}
