//! Sessions kept in files: one log and one lock per session, and a note of the current one.

use std::fs::{self, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::event::{EventData, SessionEvent};
use super::id::SessionId;
use super::log;
use super::open::DEFAULT_FOLDER;
use super::repository::{Appended, Mark, Owner, ReplayItem, Replayed, Repository, SessionLock, session_locked_error};
use tapps_base::{Error, ErrorCode, FileLock, Result, atomic, private};

/// Held by the one process that has a session; empty.
const ACTIVE_LOCK: &str = "active.lock";

/// Names the current session.
const ACTIVE_NOTE: &str = "active.json";

/// Longer than any note or owner, in bytes.
const NOTE_MAX: u64 = 64 * 1024;

/// Sessions in a folder.
#[derive(Debug, Clone)]
pub struct FileRepository {
    folder: PathBuf,
    /// Folders on the way to it that may be no links, since they belong to the project.
    own: Vec<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct CurrentSessionNote {
    session_id: String,
}

impl FileRepository {
    /// A repository in `folder`, which is made when the first session begins.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), own: Vec::new() }
    }

    /// A repository in the folder `below` a project, which may not be left by a link on the way.
    #[must_use]
    pub fn inside_project(project: &Path, below: &Path) -> Self {
        let own =
            below.ancestors().filter(|part| !part.as_os_str().is_empty()).map(|part| project.join(part)).collect();
        Self { folder: project.join(below), own }
    }

    /// Where the sessions are kept.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder, unless a link of the project leads there.
    fn folder_without_links(&self) -> Result<&Path> {
        match self.own.iter().find(|path| path.is_symlink()) {
            None => Ok(&self.folder),
            Some(link) => Err(Error::new(ErrorCode::PathDenied, format!("{} is a link", link.display())).hint(
                "remove it: sessions are kept inside the project, or in the folder that TDD_MCP_SESSION_DIR names",
            )),
        }
    }

    fn log_path(&self, id: &SessionId) -> Result<PathBuf> {
        Ok(self.folder_without_links()?.join(format!("{id}.jsonl")))
    }

    fn lock_path(&self, id: &SessionId) -> Result<PathBuf> {
        Ok(self.folder_without_links()?.join(format!("{id}.lock")))
    }

    /// Makes the folder, with an ignore file so that version control leaves sessions alone.
    fn make_folder(&self) -> Result<()> {
        let failed = |e: std::io::Error| Error::io(format_args!("cannot make {}", self.folder.display()), &e);
        let folder = self.folder_without_links()?;
        // A folder that the user has named may serve others as well.
        let made = if folder.ends_with(DEFAULT_FOLDER) { private::folder } else { private::missing_folder };
        made(folder).map_err(failed)?;
        let ignore = folder.join(".gitignore");
        if ignore.exists() { Ok(()) } else { atomic::write_private(&ignore, b"*\n") }
    }

    fn read_current_note(&self) -> Result<Option<SessionId>> {
        let failed = |error: &std::io::Error| Error::io("cannot read the note of the current session", error);
        match private::file_with(&self.folder_without_links()?.join(ACTIVE_NOTE), OpenOptions::new().read(true)) {
            Ok(file) => {
                let mut text = Vec::new();
                file.take(NOTE_MAX).read_to_end(&mut text).map_err(|e| failed(&e))?;
                let note: Option<CurrentSessionNote> = serde_json::from_slice(&text).ok();
                Ok(note.and_then(|note| SessionId::parse(&note.session_id).ok()))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }
}

impl Repository for FileRepository {
    fn load_events(
        &self,
        id: &SessionId,
        from: Mark,
        visit: &mut dyn FnMut(ReplayItem) -> Result<(), String>,
    ) -> Result<Replayed> {
        log::replay(&self.log_path(id)?, id, from, visit)
    }

    fn newest_events(&self, id: &SessionId, before: u64, limit: usize) -> Result<Vec<SessionEvent>> {
        log::newest_log_events(&self.log_path(id)?, id, before, limit)
    }

    fn append_event(&self, id: &SessionId, at: Mark, timestamp: &str, data: &EventData) -> Result<Appended> {
        if at == Mark::default() {
            self.make_folder()?;
        }
        log::append(&self.log_path(id)?, id, at, timestamp, data)
    }

    fn session_exists(&self, id: &SessionId) -> bool {
        self.log_path(id).is_ok_and(|path| path.is_file())
    }

    fn sessions(&self) -> Result<Vec<SessionId>> {
        let entries = match fs::read_dir(self.folder_without_links()?) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io(format_args!("cannot read {}", self.folder.display()), &error)),
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut ids: Vec<SessionId> =
            names.filter_map(|name| SessionId::parse(name.strip_suffix(".jsonl")?).ok()).collect();
        ids.sort();
        Ok(ids)
    }

    fn create_lock(&self, id: &SessionId, owner: &Owner) -> Result<Box<dyn SessionLock>> {
        self.make_folder()?;
        let Some(active) = take_lock(&self.folder_without_links()?.join(ACTIVE_LOCK))? else {
            let current = self.read_current_note()?;
            let by = current.as_ref().and_then(|current| read_owner(&self.lock_path(current).ok()?));
            return Err(session_locked_error(current.as_ref().unwrap_or(id), by.as_ref()));
        };
        let path = self.lock_path(id)?;
        let Some(session) = take_lock(&path)? else {
            return Err(session_locked_error(id, read_owner(&path).as_ref()));
        };
        let failed = |e: std::io::Error| Error::io(format_args!("cannot write the lock of session {id}"), &e);
        let text = serde_json::to_vec(owner).map_err(|e| Error::internal(format!("an owner has no JSON form: {e}")))?;
        let mut file = session.file();
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&text)).map_err(failed)?;
        Ok(Box::new(FileHold { note: self.folder.join(ACTIVE_NOTE), id: id.clone(), session, _active: active }))
    }

    fn is_locked(&self, id: &SessionId) -> Result<Option<Owner>> {
        let path = self.lock_path(id)?;
        if !path.is_file() {
            return Ok(None);
        }
        match try_lock(&path)? {
            Some(_free) => Ok(None),
            None => Ok(Some(read_owner(&path).unwrap_or_else(|| Owner {
                locked_by: "another process".to_owned(),
                locked_at: "an unknown time".to_owned(),
                host: String::new(),
                pid: 0,
            }))),
        }
    }

    fn current(&self) -> Result<Option<SessionId>> {
        self.read_current_note()
    }
}

/// The locks of one session. The kernel lets go of both when the process ends, however it ends; the note then stays
/// and says which session was interrupted.
#[derive(Debug)]
struct FileHold {
    note: PathBuf,
    id: SessionId,
    session: FileLock,
    _active: FileLock,
}

impl SessionLock for FileHold {
    fn mark_current(&self) -> Result<()> {
        let text = serde_json::to_vec(&CurrentSessionNote { session_id: self.id.to_string() })
            .map_err(|e| Error::internal(format!("a note has no JSON form: {e}")))?;
        atomic::write_private(&self.note, &text)
    }

    fn let_go(self: Box<Self>) {
        // Both while the locks are still held: whoever gets them next writes anew.
        fs::remove_file(&self.note).ok();
        self.session.file().set_len(0).ok();
    }
}

/// Takes a lock, trying again for a moment: whoever only looks whether it is free holds it for an instant as well.
fn take_lock(path: &Path) -> Result<Option<FileLock>> {
    for _ in 0..20 {
        if let Some(file) = try_lock(path)? {
            return Ok(Some(file));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(None)
}

/// Takes an advisory lock; none when somebody has it.
fn try_lock(path: &Path) -> Result<Option<FileLock>> {
    let failed = |e: std::io::Error| Error::io(format_args!("cannot open {}", path.display()), &e);
    let file = private::file(path).map_err(failed)?;
    match FileLock::try_acquire(&file) {
        Ok(lock) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Who wrote themselves into a lock file; none while they are doing so.
fn read_owner(path: &Path) -> Option<Owner> {
    let mut text = Vec::new();
    private::file_with(path, OpenOptions::new().read(true)).ok()?.take(NOTE_MAX).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
