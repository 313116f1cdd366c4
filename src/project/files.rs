//! How this room sees the files of the project: a listing with change stamps, and the bytes of one path.

use std::fmt::Debug;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::base::{Error, ErrorCode, Result};

/// What changes when the bytes of a file do. The change time is part of it because a program can set back
/// the modification time but not that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since the Unix epoch.
    pub modified_ns: i128,
    /// Nanoseconds since the Unix epoch.
    pub changed_ns: i128,
    pub inode: u64,
}

impl Stamp {
    /// The stamp of a file's metadata.
    #[must_use]
    pub fn of(meta: &std::fs::Metadata) -> Self {
        let nanoseconds = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Self {
            size: meta.size(),
            modified_ns: nanoseconds(meta.mtime(), meta.mtime_nsec()),
            changed_ns: nanoseconds(meta.ctime(), meta.ctime_nsec()),
            inode: meta.ino(),
        }
    }
}

/// One file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Project-relative path with forward slashes.
    pub path: String,
    pub stamp: Stamp,
}

/// The files of a project, read in place.
pub trait Files: Send + Sync + Debug {
    /// The absolute path of the project root.
    fn root(&self) -> &Path;

    /// All files that belong to the project (hidden ones too, ignored and version-control ones not), sorted by path.
    ///
    /// # Errors
    /// When the root cannot be read.
    fn list(&self) -> Result<Vec<Entry>>;

    /// The bytes of a project-relative path, ignored or not, if it has at most `max` of them.
    ///
    /// # Errors
    /// `file_not_found`, `path_denied`, or `invalid_argument` when the file is larger.
    fn read(&self, path: &str, max: u64) -> Result<Vec<u8>>;
}

/// A folder on disk without a boundary around it.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at `root`.
    ///
    /// # Errors
    /// `file_not_found` when there is none.
    pub fn open(root: &Path) -> Result<Self> {
        let root = root
            .canonicalize()
            .map_err(|e| Error::new(ErrorCode::FileNotFound, format!("cannot open folder {}: {e}", root.display())))?;
        Ok(Self { root })
    }
}

impl Files for Folder {
    fn root(&self) -> &Path {
        &self.root
    }

    fn list(&self) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let walk = ignore::WalkBuilder::new(&self.root)
            .hidden(false)
            .require_git(false)
            .filter_entry(|entry| !matches!(entry.file_name().to_str(), Some(".git" | "node_modules" | ".venv")))
            .build();
        for entry in walk.flatten() {
            let Some(path) = entry.path().strip_prefix(&self.root).ok().and_then(Path::to_str) else { continue };
            if let Ok(meta) = entry.metadata()
                && meta.is_file()
            {
                entries.push(Entry { path: path.to_owned(), stamp: Stamp::of(&meta) });
            }
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    fn read(&self, path: &str, max: u64) -> Result<Vec<u8>> {
        let full = self.root.join(path);
        let missing = |e: &std::io::Error| Error::new(ErrorCode::FileNotFound, format!("cannot read {path}: {e}"));
        let meta = std::fs::metadata(&full).map_err(|e| missing(&e))?;
        if !meta.is_file() {
            return Err(Error::new(ErrorCode::PathDenied, format!("{path} is not a regular file")));
        }
        if meta.len() > max {
            return Err(Error::invalid(format!("{path} has {} bytes, more than {max}", meta.len())));
        }
        std::fs::read(&full).map_err(|e| missing(&e))
    }
}
