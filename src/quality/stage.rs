//! A private copy of the files under judgement, so that every tool sees the bytes that were read, at the same relative
//! path, whatever happens to the originals meanwhile.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared};
use rayon::prelude::*;

use crate::threads::run_off_async_threads;
use tapps_base::source::Source;
use tapps_base::{Error, Result};
use tapps_toolchain::PrivateFolder;

/// The copy; it disappears with this value.
#[derive(Debug)]
pub struct Stage {
    folder: Arc<PrivateFolder>,
    /// With every symbolic link resolved, since tools report resolved paths.
    root: PathBuf,
    /// The writing of the copies, where that is left until they are read.
    filling: Option<Shared<BoxFuture<'static, Result<()>>>>,
}

impl Stage {
    /// Copies `sources` into a fresh folder.
    ///
    /// # Errors
    /// As [`Error::io`], naming the folder, when it cannot be written or is full.
    pub fn new(folder: PrivateFolder, sources: &[&Source]) -> Result<Self> {
        let stage = Self::empty(folder)?;
        write_copies(&stage.tree(), sources).map_err(|e| copy_error(stage.folder.path(), &e))?;
        Ok(stage)
    }

    /// A fresh folder for copies of `sources`, which are made when somebody first waits for [`Stage::filled`].
    ///
    /// # Errors
    /// As [`Stage::new`], for the folder.
    pub(crate) fn when_read(folder: PrivateFolder, sources: Vec<Source>) -> Result<Self> {
        let stage = Self::empty(folder)?;
        // The folder stays until nothing is written to it any more.
        let (folder, tree) = (Arc::clone(&stage.folder), stage.tree());
        let fill =
            move || write_copies(&tree, &sources.iter().collect::<Vec<_>>()).map_err(|e| copy_error(folder.path(), &e));
        let filling = async { run_off_async_threads(fill).await? };
        Ok(Self { filling: Some(filling.boxed().shared()), ..stage })
    }

    fn empty(folder: PrivateFolder) -> Result<Self> {
        let root = folder.path().canonicalize().map_err(|e| copy_error(folder.path(), &e))?;
        Ok(Self { folder: Arc::new(folder), root, filling: None })
    }

    /// Waits until every file has been copied.
    ///
    /// # Errors
    /// As [`Stage::new`].
    pub(crate) async fn filled(&self) -> Result<()> {
        match &self.filling {
            Some(filling) => filling.clone().await,
            None => Ok(()),
        }
    }

    /// Makes the tree the top of a repository. The folder may lie in another one, and tools that look upward for `.git` would
    /// name files from there.
    ///
    /// # Errors
    /// As [`Stage::new`].
    pub fn mark_top(&self) -> Result<()> {
        let path = self.tree().join(".git");
        std::fs::create_dir_all(&path).map_err(|e| Error::io(format_args!("cannot make {}", path.display()), &e))
    }

    /// The folder of the tree and of what is written beside it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.root
    }

    /// The folder that stands for the project root.
    #[must_use]
    pub fn tree(&self) -> PathBuf {
        self.root.join("tree")
    }

    /// A place beside the tree for a copy of more than the files under judgement; its name cannot be that of a package.
    #[must_use]
    pub fn enclosure(&self) -> PathBuf {
        self.root.join("mypy-root")
    }

    /// Writes a configuration file beside the tree and gives its path.
    ///
    /// # Errors
    /// As [`Stage::new`].
    pub fn write_configuration(&self, name: &str, text: &str) -> Result<String> {
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

fn write_copies(tree: &Path, sources: &[&Source]) -> std::io::Result<()> {
    let paths: Vec<PathBuf> = sources.iter().map(|source| tree.join(source.path())).collect();
    let mut folders: BTreeSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
    folders.insert(tree);
    folders.into_iter().try_for_each(std::fs::create_dir_all)?;
    paths.par_iter().zip(sources).try_for_each(|(path, source)| std::fs::write(path, source.bytes()))
}

fn copy_error(folder: &Path, source: &std::io::Error) -> Error {
    Error::io(format_args!("cannot copy the files under judgement to {}", folder.display()), source)
        .hint("free some space there, or set TAPPS_MCP_CACHE_DIR to a folder that has it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn copies_are_made_once_when_somebody_waits_for_them() {
        let sources = vec![Source::new("a/b.py", &b"x = 1\n"[..]), Source::new("c.py", &b"y = 1\n"[..])];
        let folder = || PrivateFolder::from_path(tempfile::tempdir().unwrap().keep());
        let stage = Stage::when_read(folder(), sources.clone()).unwrap();
        assert!(!stage.tree().exists());
        stage.filled().await.unwrap();
        assert_eq!(std::fs::read(stage.path_of("a/b.py")).unwrap(), b"x = 1\n");
        std::fs::remove_file(stage.path_of("c.py")).unwrap();
        stage.filled().await.unwrap();
        assert!(!stage.path_of("c.py").exists());

        let blocked = Stage::when_read(folder(), sources).unwrap();
        std::fs::write(blocked.tree(), "no folder").unwrap();
        for _ in 0..2 {
            let error = blocked.filled().await.unwrap_err();
            assert!(error.message().starts_with("cannot copy the files under judgement to "), "{error}");
        }
    }

    #[test]
    fn the_copy_has_the_bytes_at_the_relative_path() {
        let source = Source::new("a/b c/d.py", &b"x = 1\n"[..]);
        let folder = PrivateFolder::from_path(tempfile::tempdir().unwrap().keep());
        let stage = Stage::new(folder, &[&source]).unwrap();
        assert_eq!(std::fs::read(stage.path_of("a/b c/d.py")).unwrap(), b"x = 1\n");
        let root = stage.root.clone();
        drop(stage);
        while root.exists() {
            std::thread::yield_now();
        }
    }
}
