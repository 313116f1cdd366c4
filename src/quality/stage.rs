//! A private copy of the files under judgement, so that every tool sees the bytes that were read, at the same relative
//! path, whatever happens to the originals meanwhile.

use std::path::{Path, PathBuf};

use crate::base::source::Source;
use crate::base::{Error, Result};

/// The copy; it disappears with this value.
#[derive(Debug)]
pub struct Stage {
    _folder: tempfile::TempDir,
    /// With every symbolic link resolved, since tools report resolved paths.
    root: PathBuf,
}

impl Stage {
    /// Copies `sources` below a fresh folder readable by this user alone.
    ///
    /// # Errors
    /// `internal` naming the temporary folder when it cannot be written or is full.
    pub fn new(sources: &[&Source]) -> Result<Self> {
        let base = std::env::temp_dir();
        let failed = |source: &std::io::Error| {
            Error::io(format_args!("cannot copy the files under judgement to {}", base.display()), source)
                .hint("free some space there, or set TMPDIR to a folder that has it")
        };
        let folder = tempfile::Builder::new().prefix("tapps-stage-").tempdir_in(&base).map_err(|e| failed(&e))?;
        let root = folder.path().canonicalize().map_err(|e| failed(&e))?;
        let stage = Self { _folder: folder, root };
        for source in sources {
            let path = stage.tree().join(source.path());
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(|e| failed(&e))?;
            }
            std::fs::write(&path, source.bytes()).map_err(|e| failed(&e))?;
        }
        std::fs::create_dir_all(stage.tree()).map_err(|e| failed(&e))?;
        Ok(stage)
    }

    /// The folder that stands for the project root.
    #[must_use]
    pub fn tree(&self) -> PathBuf {
        self.root.join("tree")
    }

    /// Writes a configuration file beside the tree and gives its path.
    ///
    /// # Errors
    /// As [`Stage::new`].
    pub fn configuration(&self, name: &str, text: &str) -> Result<String> {
        let path = self.root.join(name);
        std::fs::write(&path, text).map_err(|e| Error::io(format_args!("cannot write {}", path.display()), &e))?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// Where a file of the tree is.
    #[must_use]
    pub fn path_of(&self, file: &str) -> PathBuf {
        self.tree().join(Path::new(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_has_the_bytes_at_the_relative_path() {
        let source = Source::new("a/b c/d.py", &b"x = 1\n"[..]);
        let stage = Stage::new(&[&source]).unwrap();
        assert_eq!(std::fs::read(stage.path_of("a/b c/d.py")).unwrap(), b"x = 1\n");
        let root = stage.root.clone();
        drop(stage);
        assert!(!root.exists());
    }
}
