//! The folder at the project root where the program keeps what it remembers about the project.

use std::fs::TryLockError;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cap_std::fs::{DirBuilder, File, Metadata, OpenOptions};

use super::boundary::Boundary;
use super::path::ProjectPath;
use super::platform;
use tapps_base::private::{FILE_MODE, FOLDER_MODE, NotPlain};
use tapps_base::{Error, ErrorCode, FileLock, Result};

/// Name of the folder.
pub const STATE_FOLDER: &str = ".tapps-mcp";

/// Name of the folder of the code index.
pub const INDEX_FOLDER: &str = ".coderef";

/// What people write below the state folder, and keep under version control.
const WRITTEN_BY_PEOPLE: [&str; 5] = ["workflows", "agents", "knowledge", "rules", "tools"];

/// How long to wait before a lock that is taken is tried again.
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// The folder's own `.gitignore`: everything, but for the workflows, agents, knowledge, rules and tools of the project.
const IGNORED: &[u8] = b"*\n!/workflows/\n!/workflows/**\n!/agents/\n!/agents/**\n!/knowledge/\n!/knowledge/**\n\
                         !/rules/\n!/rules/**\n!/tools/\n!/tools/**\n";

impl Boundary {
    /// The state folder, made when it is not there, with a `.gitignore` of its own that covers what the
    /// program writes into it.
    ///
    /// # Errors
    /// `path_denied` when something else stands in its place, a link above all; `internal` when it cannot be made, for
    /// example because the project is read-only.
    pub fn state_folder(&self) -> Result<PathBuf> {
        // What the program remembers stays out of version control; what people write for it does not.
        self.own_folder(STATE_FOLDER, IGNORED)
    }

    /// The folder of the code index, made if it is missing, with a `.gitignore` that covers all of it.
    ///
    /// # Errors
    /// As [`Boundary::state_folder`].
    pub fn index_folder(&self) -> Result<PathBuf> {
        self.own_folder(INDEX_FOLDER, b"*\n")
    }

    fn own_folder(&self, name: &str, ignored: &[u8]) -> Result<PathBuf> {
        self.make_private_folder(name)?;
        let path = self.existing_folder(name)?.ok_or_else(|| Error::internal(format!("{name} has gone")))?;
        if let Ok(mut file) = self.dir.open_with(
            format!("{name}/.gitignore"),
            set_owner_only_mode(OpenOptions::new().write(true).create_new(true)),
        ) {
            file.write_all(ignored).map_err(|e| Error::io(format_args!("cannot write to {name}"), &e))?;
        }
        Ok(path)
    }

    /// A folder of the state folder, made when it is not there.
    ///
    /// # Errors
    /// As [`Boundary::state_folder`].
    pub fn state_subfolder(&self, name: &str) -> Result<PathBuf> {
        let state = self.state_folder()?;
        let below = format!("{STATE_FOLDER}/{name}");
        self.make_private_folder(&below)?;
        match self.dir.symlink_metadata(&below) {
            Ok(meta) if meta.is_dir() => {
                self.restrict_permissions(&below, &meta);
                Ok(state.join(name))
            }
            Ok(_) => Err(Error::new(ErrorCode::PathDenied, format!("{below} is not a folder"))
                .hint(format!("remove {below} from the project"))),
            Err(error) => Err(Error::io(format_args!("cannot look at {below}"), &error)),
        }
    }

    /// Takes the lock `name` in a folder of the state folder and holds it until the file is dropped; the system lets go of
    /// it when the process ends, however it ends.
    ///
    /// # Errors
    /// `session_locked` when another process does not let go of it within `patience`; `path_denied` when a link or a pipe
    /// stands in its place; as [`Boundary::state_folder`].
    pub fn state_lock(&self, folder: &str, name: &str, patience: Duration) -> Result<FileLock> {
        self.state_subfolder(folder)?;
        let path = format!("{STATE_FOLDER}/{folder}/{name}");
        // A pipe would be waited for, and a link may lead anywhere in the project.
        if self.dir.symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            let refused = std::io::Error::new(std::io::ErrorKind::InvalidInput, NotPlain);
            return Err(Error::io(format_args!("cannot open {path}"), &refused));
        }
        let file = self
            .dir
            .open_with(&path, set_owner_only_mode(OpenOptions::new().write(true).create(true)))
            .map_err(|e| Error::io(format_args!("cannot open {path}"), &e))?
            .into_std();
        let until = Instant::now() + patience;
        loop {
            match FileLock::try_acquire(&file) {
                Ok(lock) => return Ok(lock),
                Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(LOCK_PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let message = format!("another process does not let go of {path}");
                    return Err(Error::new(ErrorCode::SessionLocked, message).hint("try again"));
                }
                Err(TryLockError::Error(e)) => return Err(Error::io(format_args!("cannot lock {path}"), &e)),
            }
        }
    }

    /// The state folder when it is there.
    ///
    /// # Errors
    /// `path_denied` when something else stands in its place.
    pub fn existing_state_folder(&self) -> Result<Option<PathBuf>> {
        self.existing_folder(STATE_FOLDER)
    }

    /// Makes a folder that nobody but its owner may look into; one that is there is none of this function's business.
    fn make_private_folder(&self, name: &str) -> Result<()> {
        let mut builder = DirBuilder::new();
        platform::set_folder_mode(&mut builder, FOLDER_MODE);
        match self.dir.create_dir_with(name, &builder) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                Err(Error::io(format_args!("cannot make the folder {name}"), &error))
            }
            _ => Ok(()),
        }
    }

    /// Takes the rights of others away from a folder. Where that cannot be done it is somebody else's anyway.
    fn restrict_permissions(&self, name: &str, meta: &Metadata) {
        if let Some(narrower) = platform::narrower(meta, FOLDER_MODE) {
            self.dir.set_permissions(name, narrower).ok();
        }
    }

    /// Takes the rights of others away from an open file of the program's own, and from the folder: what lies beside a file
    /// that could be read by others could be as well.
    pub(super) fn tighten_own_file(&self, path: &ProjectPath, file: &File, meta: &Metadata) {
        if let Some(narrower) = platform::narrower(meta, FILE_MODE) {
            file.set_permissions(narrower).ok();
            self.existing_folder(path.as_str().split('/').next().unwrap_or_default()).ok();
        }
    }

    fn existing_folder(&self, name: &str) -> Result<Option<PathBuf>> {
        match self.dir.symlink_metadata(name) {
            Ok(meta) if meta.is_dir() => {
                self.restrict_permissions(name, &meta);
                Ok(Some(self.root().join(name)))
            }
            Ok(_) => Err(Error::new(ErrorCode::PathDenied, format!("{name} is not a folder"))
                .hint(format!("remove {name} from the project root"))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(format_args!("cannot look at {name}"), &error)),
        }
    }
}

/// Whether a path names something that the program keeps for itself: what people write below the state folder is theirs.
pub(super) fn is_private(path: &ProjectPath) -> bool {
    let mut parts = path.as_str().split('/');
    match (parts.next(), parts.next()) {
        (Some(STATE_FOLDER), Some(below)) => !WRITTEN_BY_PEOPLE.contains(&below),
        (Some(INDEX_FOLDER), Some(_)) => true,
        _ => false,
    }
}

/// The options of a file that nobody but its owner may read.
pub(super) fn set_owner_only_mode(options: &mut OpenOptions) -> &mut OpenOptions {
    platform::set_file_mode(options, FILE_MODE);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_and_never_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        assert_eq!(boundary.existing_state_folder().unwrap(), None);
        let path = boundary.state_folder().unwrap();
        assert_eq!(boundary.state_folder().unwrap(), path);
        let mode = |path: &std::path::Path| {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::metadata(path).unwrap().permissions().mode() & 0o777
        };
        let below = boundary.state_subfolder("sessions").unwrap();
        for folder in [&path, &below] {
            assert_eq!(mode(folder), 0o700);
            std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        boundary.state_subfolder("sessions").unwrap();
        assert_eq!((mode(&path), mode(&below), mode(&path.join(".gitignore"))), (0o700, 0o700, 0o600));
        assert_eq!(std::fs::read(path.join(".gitignore")).unwrap(), IGNORED);

        let other = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), other.path().join(STATE_FOLDER)).unwrap();
        let error = Boundary::open(other.path()).unwrap().state_folder().unwrap_err();
        assert_eq!(error.code(), ErrorCode::PathDenied);
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
