//! Replacing user files: wholly or not at all, and never a file that is not the one the caller saw.

use std::io::{Read as _, Write as _};
use std::path::Path;

use cap_std::fs::{Dir, OpenOptions, Permissions};

use super::boundary::Boundary;
use super::path::ProjectPath;
use super::read;
use super::state;
use tapps_base::clock::{Clock as _, SystemClock};
use tapps_base::{Error, ErrorCode, Result, digest};

/// How often a file of the program's own is tried to be written when others write it too.
const TRIES: usize = 50;

impl Boundary {
    /// Replaces a file by `bytes`: temporary file in the same folder, fsync, rename, all beneath the handle.
    ///
    /// `expected` is the SHA-256 of the content that the caller saw; `None` means there must be no file yet. The mode of
    /// a replaced file is kept; what the program keeps for itself is for its owner alone.
    ///
    /// # Errors
    /// `invalid_argument` when the file is not what was expected; `path_denied` when it is a link or not a regular file;
    /// `file_not_found` when the folder or the expected file is missing; `internal` when the disk refuses. The old file
    /// is then untouched.
    pub fn write_atomic(&self, path: &ProjectPath, bytes: &[u8], expected: Option<&str>) -> Result<()> {
        self.write_atomic_as(path, bytes, expected, &SystemClock.fresh_id())
    }

    /// As [`Boundary::write_atomic`], with the label of the temporary file, so that [`Boundary::remove_temporary`] can remove what a
    /// kill has left of it. Two writes to one folder at the same time need different labels.
    ///
    /// # Errors
    /// As [`Boundary::write_atomic`].
    pub fn write_atomic_as(&self, path: &ProjectPath, bytes: &[u8], expected: Option<&str>, label: &str) -> Result<()> {
        if path.is_root() {
            return Err(Error::invalid("the project root is a folder").hint("name a file in it"));
        }
        let parent = path.parent();
        let folder = self.with_path_beneath(&parent, |at| self.dir.open_dir(at))?;
        let name = path.file_name();
        let mode = self.check_expected(&folder, path, expected)?;
        let private = state::is_private(path);
        let temporary = Temporary::write_temporary(&folder, bytes, mode.filter(|_| !private), private, label)
            .map_err(|error| failed_write_error(path, &error))?;
        // Looked at once more, as late as possible: writing and flushing took time.
        self.check_expected(&folder, path, expected)?;
        let placed = if expected.is_some() {
            folder.rename(&temporary.name, &folder, name)
        } else {
            // Unlike a rename, a hard link never replaces what somebody else has just put there.
            folder.hard_link(&temporary.name, &folder, name)
        };
        placed.map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => changed_file_error(path, "exists already"),
            _ => failed_write_error(path, &error),
        })?;
        drop(temporary);
        // The rename itself is durable only once the folder is.
        if let Ok(handle) = folder.open(".") {
            handle.sync_all().ok();
        }
        Ok(())
    }

    /// Puts `bytes` in the place of a file that the program makes, and never of another's: `check` says of what stands there
    /// whether it is the program's. Who loses against another process that makes the same file looks and tries again,
    /// so that the last one stays; nothing is written where `bytes` stand already.
    ///
    /// # Errors
    /// What `check` says; `session_locked` when others write the file all the time; as [`Boundary::write_atomic`].
    pub fn replace_own_file(
        &self,
        path: &ProjectPath,
        bytes: &[u8],
        most: u64,
        check: impl Fn(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut seen = self.read_if_there(path, most)?;
        for _ in 0..TRIES {
            if let Some(seen) = &seen {
                check(seen)?;
                if seen == bytes {
                    return Ok(());
                }
            }
            let expected = seen.as_deref().map(digest::sha256);
            let Err(refused) = self.write_atomic(path, bytes, expected.as_deref()) else { return Ok(()) };
            let now = self.read_if_there(path, most)?;
            if now == seen {
                return Err(refused);
            }
            seen = now;
        }
        let message = format!("other processes keep writing `{path}`");
        Err(Error::new(ErrorCode::SessionLocked, message).hint("try again"))
    }

    fn read_if_there(&self, path: &ProjectPath, most: u64) -> Result<Option<Vec<u8>>> {
        match self.read(path, most) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.code() == ErrorCode::FileNotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes the temporary file that an interrupted [`Boundary::write_atomic_as`] with this label left in a folder;
    /// true when there was one.
    ///
    /// # Errors
    /// `path_denied` for a folder that leads out; `internal` when the system refuses.
    pub fn remove_temporary(&self, folder: &ProjectPath, label: &str) -> Result<bool> {
        let handle = match self.with_path_beneath(folder, |at| self.dir.open_dir(at)) {
            Ok(handle) => handle,
            Err(error) if error.code() == ErrorCode::FileNotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        match handle.remove_file(temporary_name(label)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed_write_error(folder, &error)),
        }
    }

    /// Checks that what stands at the path is what the caller saw, and gives its permissions.
    pub(super) fn check_expected(
        &self,
        folder: &Dir,
        path: &ProjectPath,
        expected: Option<&str>,
    ) -> Result<Option<Permissions>> {
        let name = Path::new(path.file_name());
        let meta = match folder.symlink_metadata(name) {
            Ok(meta) => meta,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && expected.is_none() => return Ok(None),
            Err(error) => return Err(self.path_error(path, &error)),
        };
        if !meta.is_file() {
            let message = format!("the path `{path}` is not a regular file and is not written through");
            return Err(
                Error::new(ErrorCode::PathDenied, message).hint("name the file itself rather than a link to it")
            );
        }
        let Some(expected) = expected else { return Err(changed_file_error(path, "exists already")) };
        let mut content = Vec::new();
        read::open_without_blocking(folder, name)
            .and_then(|file| file.take(meta.len().saturating_add(1)).read_to_end(&mut content))
            .map_err(|error| self.path_error(path, &error))?;
        if digest::sha256(&content) != expected {
            return Err(changed_file_error(path, "has changed since it was read"));
        }
        Ok(Some(meta.permissions()))
    }
}

/// A file beside the one to be replaced; removed when dropped, unless it has been renamed.
struct Temporary<'d> {
    folder: &'d Dir,
    name: String,
}

impl<'d> Temporary<'d> {
    fn write_temporary(
        folder: &'d Dir,
        bytes: &[u8],
        mode: Option<Permissions>,
        private: bool,
        label: &str,
    ) -> std::io::Result<Self> {
        let name = temporary_name(label);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if private {
            state::set_owner_only_mode(&mut options);
        }
        let mut file = folder.open_with(&name, &options)?;
        let temporary = Self { folder, name };
        file.write_all(bytes)?;
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        file.sync_all()?;
        Ok(temporary)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        self.folder.remove_file(&self.name).ok();
    }
}

fn temporary_name(label: &str) -> String {
    format!(".tapps-tmp-{label}")
}

fn changed_file_error(path: &ProjectPath, what: &str) -> Error {
    Error::invalid(format!("`{path}` {what}; nothing was written")).hint("read the file again and repeat the change")
}

fn failed_write_error(path: &ProjectPath, error: &std::io::Error) -> Error {
    Error::io(format_args!("cannot write {path}"), error)
}
