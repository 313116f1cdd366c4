//! The folder at the project root where the program keeps what it remembers about the project.

use std::io::Write as _;
use std::path::PathBuf;

use cap_std::fs::OpenOptions;

use super::boundary::Boundary;
use crate::base::{Error, ErrorCode, Result};

/// Name of the folder.
pub const STATE_FOLDER: &str = ".tapps-mcp";

/// The folder's own `.gitignore`: everything, but for the workflows, agents and rules of the project.
const IGNORED: &[u8] = b"*\n!/workflows/\n!/workflows/**\n!/agents/\n!/agents/**\n!/rules/\n!/rules/**\n";

impl Boundary {
    /// The state folder, made when it is not there, with a `.gitignore` of its own that covers what the
    /// program writes into it.
    ///
    /// # Errors
    /// `path_denied` when something else stands in its place, a link above all; `internal` when it cannot be made, for
    /// example because the project is read-only.
    pub fn state_folder(&self) -> Result<PathBuf> {
        match self.dir.create_dir(STATE_FOLDER) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(Error::io(format_args!("cannot make the folder {STATE_FOLDER}"), &error));
            }
            _ => {}
        }
        let path = self.existing_state_folder()?.ok_or_else(|| Error::internal(format!("{STATE_FOLDER} has gone")))?;
        // What the program remembers stays out of version control; what people write for it does not.
        let ignore = format!("{STATE_FOLDER}/.gitignore");
        if let Ok(mut file) = self.dir.open_with(ignore, OpenOptions::new().write(true).create_new(true)) {
            file.write_all(IGNORED).map_err(|e| Error::io(format_args!("cannot write to {STATE_FOLDER}"), &e))?;
        }
        Ok(path)
    }

    /// The state folder when it is there.
    ///
    /// # Errors
    /// `path_denied` when something else stands in its place.
    pub fn existing_state_folder(&self) -> Result<Option<PathBuf>> {
        match self.dir.symlink_metadata(STATE_FOLDER) {
            Ok(meta) if meta.is_dir() => Ok(Some(self.root().join(STATE_FOLDER))),
            Ok(_) => Err(Error::new(ErrorCode::PathDenied, format!("{STATE_FOLDER} is not a folder"))
                .hint(format!("remove {STATE_FOLDER} from the project root"))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(format_args!("cannot look at {STATE_FOLDER}"), &error)),
        }
    }
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
        assert_eq!(std::fs::read(path.join(".gitignore")).unwrap(), IGNORED);

        let other = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), other.path().join(STATE_FOLDER)).unwrap();
        let error = Boundary::open(other.path()).unwrap().state_folder().unwrap_err();
        assert_eq!(error.code(), ErrorCode::PathDenied);
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
