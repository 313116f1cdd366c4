//! Objects that are kept outside of a repository, so that a tree which was never committed can be compared with later.

use std::fs;
use std::path::{Path, PathBuf};

use tapps_base::{Error, Result, private};

use super::Git;
use super::repository::{Repository, on_blocking_thread};

/// What git keeps about objects beside them.
const ABOUT: &str = "info";

impl Git {
    /// Lets the repositories that are opened find objects in this folder as well, when it is there: those that
    /// [`Repository::keep_new_objects`] has put there.
    #[must_use]
    pub fn with_lent_objects(mut self, folder: &Path) -> Self {
        self.lent_objects = folder.canonicalize().ok().filter(|folder| folder.is_dir());
        self
    }
}

impl Repository {
    /// Copies to `folder` what [`Repository::tree_of`] has made so far: the objects that the repository does not have.
    ///
    /// # Errors
    /// `internal` when they cannot be copied.
    pub async fn keep_new_objects(&self, folder: &Path) -> Result<()> {
        let (from, to) = (self.private.path().join("objects"), folder.to_owned());
        on_blocking_thread(move || copy_objects(&from, &to)).await
    }
}

fn copy_objects(from: &Path, to: &Path) -> Result<()> {
    let failed = |path: &Path, e: &std::io::Error| Error::io(format_args!("cannot keep {}", path.display()), e);
    private::folder(to).map_err(|e| failed(to, &e))?;
    for folder in entries_of(from).map_err(|e| failed(from, &e))? {
        let name = folder.file_name().unwrap_or_default();
        if !folder.is_dir() || name == ABOUT {
            continue;
        }
        let target = to.join(name);
        for object in entries_of(&folder).map_err(|e| failed(&folder, &e))? {
            private::folder(&target).map_err(|e| failed(&target, &e))?;
            let copy = target.join(object.file_name().unwrap_or_default());
            if !copy.exists() {
                fs::copy(&object, &copy).map_err(|e| failed(&copy, &e))?;
            }
        }
    }
    Ok(())
}

fn entries_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
}
