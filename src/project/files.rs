//! How this room sees the files of the project: a listing with change stamps, and the bytes of one path.

use std::path::Path;
use std::sync::Arc;

use tapps_base::Result;
use tapps_sandbox::survey::FileStamp;
use tapps_sandbox::{Boundary, ProjectPath, WalkOptions};

/// One file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProjectFile {
    /// Project-relative path with forward slashes.
    pub(crate) path: String,
    pub(crate) stamp: FileStamp,
}

/// The files of a project, read in place and only through its boundary.
#[derive(Debug, Clone)]
pub(crate) struct ProjectFiles {
    boundary: Arc<Boundary>,
}

impl ProjectFiles {
    /// The files within a boundary.
    #[must_use]
    pub(crate) fn new(boundary: Arc<Boundary>) -> Self {
        Self { boundary }
    }

    /// The boundary around the files.
    #[must_use]
    pub(crate) fn boundary(&self) -> &Arc<Boundary> {
        &self.boundary
    }

    /// The stamp of a project-relative path, ignored or not; none where there is nothing.
    pub(crate) fn stamp(&self, path: &str) -> Option<FileStamp> {
        self.boundary.root().join(path).symlink_metadata().ok().map(|meta| FileStamp::from_metadata(&meta))
    }

    /// The absolute path of the project root.
    #[must_use]
    pub(crate) fn root(&self) -> &Path {
        self.boundary.root()
    }

    /// All files that belong to the project (hidden ones too, ignored and version-control ones not), sorted by path.
    ///
    /// # Errors
    /// When the root cannot be read.
    pub(crate) fn list(&self) -> Result<Vec<ProjectFile>> {
        let paths = self.boundary.walk(&self.boundary.root_as_project_path(), &WalkOptions::default())?;
        // A look at what the folder says of a file opens nothing, so it may go by path; one gone since is left out.
        let entry =
            |path: ProjectPath| Some(ProjectFile { stamp: self.stamp(path.as_str())?, path: path.as_str().to_owned() });
        Ok(paths.into_iter().filter_map(entry).collect())
    }

    /// The bytes of a project-relative path, ignored or not, if it has at most `max` of them.
    ///
    /// # Errors
    /// `file_not_found`, `path_denied`, or `invalid_argument` when the file is larger.
    pub(crate) fn read(&self, path: &str, max: u64) -> Result<Vec<u8>> {
        self.boundary.read(&self.boundary.resolve(path)?, max)
    }
}
