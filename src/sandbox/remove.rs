//! Removing what this program has put into a project, and nothing else.

use super::boundary::Boundary;
use super::path::ProjectPath;
use tapps_base::{Error, Result};

impl Boundary {
    /// Removes a file; `expected` is the SHA-256 of the content that the caller saw.
    ///
    /// # Errors
    /// `invalid_argument` when the file is not what was expected; `path_denied` when it is a link or not a regular file;
    /// `file_not_found`; `internal` when the system refuses.
    pub fn remove_file(&self, path: &ProjectPath, expected: &str) -> Result<()> {
        let folder = self.with_path_beneath(&path.parent(), |at| self.dir.open_dir(at))?;
        self.check_expected(&folder, path, Some(expected))?;
        folder.remove_file(path.file_name()).map_err(|error| Error::io(format_args!("cannot remove {path}"), &error))
    }

    /// Removes a folder in which nothing is.
    ///
    /// # Errors
    /// `path_denied`, `file_not_found`; `internal` when something is in it or the system refuses.
    pub fn remove_empty_folder(&self, path: &ProjectPath) -> Result<()> {
        let above = self.with_path_beneath(&path.parent(), |at| self.dir.open_dir(at))?;
        above.remove_dir(path.file_name()).map_err(|error| Error::io(format_args!("cannot remove {path}"), &error))
    }
}
