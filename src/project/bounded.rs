//! The files of a project as the boundary lets them be seen.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::files::{Entry, Files, Stamp};
use crate::base::Result;
use crate::guard::{Boundary, WalkOptions};

/// A project behind its boundary.
#[derive(Debug, Clone)]
pub struct Bounded {
    boundary: Arc<Boundary>,
    options: WalkOptions,
}

impl Bounded {
    /// The project inside `boundary` without what `exclude` names (globs as in `.gitignore`).
    #[must_use]
    pub fn new(boundary: Arc<Boundary>, exclude: &[String]) -> Self {
        Self { boundary, options: WalkOptions { exclude: exclude.to_vec(), ..WalkOptions::default() } }
    }
}

impl Files for Bounded {
    fn root(&self) -> &Path {
        self.boundary.root()
    }

    fn list(&self) -> Result<Vec<Entry>> {
        let paths = self.boundary.walk(&self.boundary.whole(), &self.options)?;
        let root = self.boundary.root();
        // A file that went away since the walk is no longer part of the project.
        let stamped = paths.par_iter().filter_map(|path| {
            let meta = std::fs::symlink_metadata(root.join(path.as_str())).ok()?;
            Some(Entry { path: path.as_str().to_owned(), stamp: Stamp::of(&meta) })
        });
        Ok(stamped.collect())
    }

    fn read(&self, path: &str, max: u64) -> Result<Vec<u8>> {
        self.boundary.read(&self.boundary.resolve(path)?, max)
    }
}
