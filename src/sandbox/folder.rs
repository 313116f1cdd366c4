//! Making folders beneath the root.

use super::boundary::Boundary;
use super::path::ProjectPath;
use tapps_base::{Error, Result};

impl Boundary {
    /// Makes a folder and those above it; one that is there stays as it is.
    ///
    /// # Errors
    /// `path_denied` when the path leads out of the project; `internal` when it cannot be made.
    pub fn make_folder(&self, path: &ProjectPath) -> Result<()> {
        self.dir
            .create_dir_all(path.as_str())
            .map_err(|error| Error::io(format_args!("cannot make the folder {path}"), &error))
    }
}
