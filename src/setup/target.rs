//! Files that are edited: in the project through the boundary, among the user's own by their path.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use tapps_base::{Error, ErrorCode, Result, atomic, digest, platform};
use tapps_sandbox::Boundary;

/// No configuration is larger.
const LARGEST: u64 = 64 << 20;

/// Where a file is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "in", content = "path", rename_all = "lowercase")]
pub enum SetupFileLocation {
    /// Relative to the project root.
    Project(String),
    /// Absolute.
    User(PathBuf),
}

impl std::fmt::Display for SetupFileLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Project(path) => f.write_str(path),
            Self::User(path) => write!(f, "{}", path.display()),
        }
    }
}

impl SetupFileLocation {
    /// The bytes that are there; none when there is no file.
    ///
    /// # Errors
    /// `path_denied` for a link out of the project; `config_error` when it cannot be read.
    pub fn read(&self, boundary: &Boundary) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Project(path) => match boundary.read(&boundary.resolve(path)?, LARGEST) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.code() == ErrorCode::FileNotFound => Ok(None),
                Err(error) => Err(error),
            },
            Self::User(path) => match std::fs::read(path) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => {
                    Err(Error::new(ErrorCode::ConfigError, format!("{} cannot be read: {error}", path.display()))
                        .hint("give this user the right to read it, or leave its client out"))
                }
            },
        }
    }

    /// The folders above it that are not there yet, the outermost first.
    #[must_use]
    pub fn missing_folders(&self, boundary: &Boundary) -> Vec<Self> {
        let mut missing = Vec::new();
        match self {
            Self::Project(path) => {
                let mut above = Path::new(path).parent();
                while let Some(folder) = above.and_then(Path::to_str).filter(|folder| !folder.is_empty()) {
                    if boundary.resolve(folder).is_ok_and(|folder| boundary.kind(&folder).is_err()) {
                        missing.push(Self::Project(folder.to_owned()));
                    }
                    above = Path::new(folder).parent();
                }
            }
            Self::User(path) => {
                let above = path.ancestors().skip(1).take_while(|folder| !folder.exists());
                missing.extend(above.map(|folder| Self::User(folder.to_owned())));
            }
        }
        missing.reverse();
        missing
    }

    /// Puts `bytes` there, wholly or not at all, where `seen` are the bytes that were read before.
    ///
    /// # Errors
    /// `invalid_argument` when the file is not what was seen; `path_denied`; `internal` when the disk refuses.
    pub fn write(&self, boundary: &Boundary, seen: Option<&[u8]>, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Project(path) => {
                let path = boundary.resolve(path)?;
                boundary.make_folder(&path.parent())?;
                boundary.write_atomic(&path, bytes, seen.map(digest::sha256).as_deref())
            }
            Self::User(path) => {
                self.ensure_unchanged(boundary, seen)?;
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)
                        .map_err(|e| Error::io(format_args!("cannot make {}", folder.display()), &e))?;
                }
                // Where the file is a link, as in managed home folders, what it leads to is edited.
                atomic::write(&path.canonicalize().unwrap_or_else(|_| path.clone()), bytes)
            }
        }
    }

    /// Lets everybody who may read the file start it. It was written just now, by this program.
    ///
    /// # Errors
    /// `internal` when the system refuses.
    pub fn make_executable(&self, boundary: &Boundary) -> Result<()> {
        let path = match self {
            Self::Project(path) => boundary.root().join(path),
            Self::User(path) => path.clone(),
        };
        platform::make_executable(&path)
            .map_err(|e| Error::io(format_args!("cannot make {} a program", path.display()), &e))
    }

    /// Removes the file, where `seen` are the bytes that were read before.
    ///
    /// # Errors
    /// As [`SetupFileLocation::write`].
    pub fn remove(&self, boundary: &Boundary, seen: &[u8]) -> Result<()> {
        match self {
            Self::Project(path) => boundary.remove_file(&boundary.resolve(path)?, &digest::sha256(seen)),
            Self::User(path) => {
                self.ensure_unchanged(boundary, Some(seen))?;
                std::fs::remove_file(path).map_err(|e| Error::io(format_args!("cannot remove {}", path.display()), &e))
            }
        }
    }

    /// Removes a folder when nothing is in it.
    pub fn remove_if_empty(&self, boundary: &Boundary) {
        // A folder in which something has been put since is no longer this program's.
        match self {
            Self::Project(path) => {
                if let Ok(folder) = boundary.resolve(path) {
                    boundary.remove_empty_folder(&folder).ok();
                }
            }
            Self::User(path) => {
                std::fs::remove_dir(path).ok();
            }
        }
    }

    fn ensure_unchanged(&self, boundary: &Boundary, seen: Option<&[u8]>) -> Result<()> {
        if self.read(boundary)?.as_deref() == seen {
            return Ok(());
        }
        Err(Error::invalid(format!("{self} has changed since it was read; nothing was written")).hint("try again"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_read_written_and_removed() {
        let (project, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boundary = Boundary::open(project.path()).unwrap();
        for target in
            [SetupFileLocation::Project(".a/b/c.json".into()), SetupFileLocation::User(home.path().join(".a/b/c.json"))]
        {
            assert_eq!(target.read(&boundary).unwrap(), None);
            let folders = target.missing_folders(&boundary);
            assert_eq!(folders.len(), 2, "{folders:?}");
            target.write(&boundary, None, b"one").unwrap();
            assert_eq!(target.missing_folders(&boundary), []);
            assert_eq!(target.write(&boundary, None, b"x").unwrap_err().code(), ErrorCode::InvalidArgument);
            target.write(&boundary, Some(b"one"), b"two").unwrap();
            assert_eq!(target.read(&boundary).unwrap().unwrap(), b"two");
            assert_eq!(target.remove(&boundary, b"one").unwrap_err().code(), ErrorCode::InvalidArgument);
            target.remove(&boundary, b"two").unwrap();
            folders.iter().rev().for_each(|folder| folder.remove_if_empty(&boundary));
            assert_eq!(target.missing_folders(&boundary), folders);
        }
    }

    #[test]
    fn links_are_followed_at_home_and_not_out_of_the_project() {
        let (project, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boundary = Boundary::open(project.path()).unwrap();
        let real = home.path().join("real.json");
        std::fs::write(&real, "{}").unwrap();
        std::os::unix::fs::symlink(&real, home.path().join("link.json")).unwrap();
        std::os::unix::fs::symlink(&real, project.path().join("link.json")).unwrap();
        SetupFileLocation::User(home.path().join("link.json")).write(&boundary, Some(b"{}"), b"new").unwrap();
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert!(home.path().join("link.json").is_symlink());
        let error = SetupFileLocation::Project("link.json".into()).read(&boundary).unwrap_err();
        assert_eq!(error.code(), ErrorCode::PathDenied);
    }
}
