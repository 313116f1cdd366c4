//! Listing files with their stamps: what an index needs to know which files it has to read again.

use std::path::Path;

use cap_std::fs::{Dir, Metadata, MetadataExt as _};

use super::boundary::Boundary;
use super::lexical;
use super::path::ProjectPath;
use crate::base::call::Call;
use crate::base::{Error, Result};

/// What the system says about a file without reading it; a file with the same stamp has, but for doubt, the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// In bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since the Unix epoch; programs can set it.
    pub modified: i128,
    /// Last change of content or attributes, in nanoseconds since the Unix epoch; only the system sets it.
    pub changed: i128,
    pub inode: u64,
    pub device: u64,
}

impl Stamp {
    fn of(meta: &Metadata) -> Self {
        let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Self {
            size: meta.len(),
            modified: nanos(meta.mtime(), meta.mtime_nsec()),
            changed: nanos(meta.ctime(), meta.ctime_nsec()),
            inode: meta.ino(),
            device: meta.dev(),
        }
    }
}

/// A file as it was found.
#[derive(Debug, Clone)]
pub struct Surveyed {
    pub path: ProjectPath,
    pub stamp: Stamp,
}

/// Something that was asked for and cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlisted {
    /// Relative to the root, with forward slashes; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// What a survey found, each list sorted by path.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    pub files: Vec<Surveyed>,
    pub unlisted: Vec<Unlisted>,
}

/// What a survey looks at; both get the path relative to the root.
pub trait Wanted {
    /// Whether a folder is entered.
    fn folder(&self, path: &str) -> bool;
    /// Whether a file is listed.
    fn file(&self, path: &str) -> bool;
}

impl Boundary {
    /// All regular files that are wanted, with their stamps. Links are named in `unlisted` and never followed.
    ///
    /// # Errors
    /// `cancelled` or `timeout`; `path_denied` when the root itself cannot be listed.
    pub fn survey(&self, wanted: &dyn Wanted, call: &Call) -> Result<Survey> {
        let mut surveyor = Surveyor { wanted, call, found: Survey::default() };
        let root = self.whole();
        surveyor.folder(&self.dir, "").map_err(|fault| match fault {
            Fault::Over(error) => error,
            Fault::Unreadable(error) => self.fault(&root, &error),
        })?;
        surveyor.found.files.sort_by(|a, b| a.path.cmp(&b.path));
        surveyor.found.unlisted.sort();
        Ok(surveyor.found)
    }

    /// What the system says about a regular file.
    ///
    /// # Errors
    /// `file_not_found` or `path_denied`.
    pub fn stamp(&self, path: &ProjectPath) -> Result<Stamp> {
        self.beneath(path, |at| self.dir.metadata(at)).map(|meta| Stamp::of(&meta))
    }
}

enum Fault {
    /// The call is over.
    Over(Error),
    Unreadable(std::io::Error),
}

struct Surveyor<'w> {
    wanted: &'w dyn Wanted,
    call: &'w Call,
    found: Survey,
}

impl Surveyor<'_> {
    fn folder(&mut self, folder: &Dir, prefix: &str) -> Result<(), Fault> {
        self.call.check().map_err(Fault::Over)?;
        for entry in folder.entries().map_err(Fault::Unreadable)? {
            let entry = entry.map_err(Fault::Unreadable)?;
            let kind = entry.file_type().map_err(Fault::Unreadable)?;
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    let path = format!("{prefix}{}", name.to_string_lossy());
                    if self.wanted.file(&path) {
                        self.leave_out(path, "its name is not UTF-8");
                    }
                    continue;
                }
            };
            let path = format!("{prefix}{name}");
            if kind.is_dir() {
                if self.wanted.folder(&path) {
                    self.enter(folder, &name, path)?;
                }
            } else if !self.wanted.file(&path) {
            } else if kind.is_symlink() {
                self.leave_out(path, "it is a link");
            } else if !kind.is_file() {
                self.leave_out(path, "it is not a regular file");
            } else if let Err(error) = lexical::check(&path) {
                self.leave_out(path, error.message());
            } else {
                match entry.metadata() {
                    Ok(meta) => {
                        let path = ProjectPath::root().entry(&path);
                        self.found.files.push(Surveyed { path, stamp: Stamp::of(&meta) });
                    }
                    // Gone since the folder was listed.
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    Err(error) => self.leave_out(path, &error.to_string()),
                }
            }
        }
        Ok(())
    }

    /// Lists a folder below. It was no link when it was listed; made one since, it still cannot lead out of its parent.
    fn enter(&mut self, parent: &Dir, name: &str, path: String) -> Result<(), Fault> {
        if let Err(error) = lexical::check(&path) {
            self.leave_out(path, error.message());
            return Ok(());
        }
        let entered = parent.open_dir(Path::new(name)).map_err(Fault::Unreadable);
        match entered.and_then(|folder| self.folder(&folder, &format!("{path}/"))) {
            Err(Fault::Unreadable(error)) if error.kind() != std::io::ErrorKind::NotFound => {
                self.leave_out(path, &error.to_string());
                Ok(())
            }
            Err(Fault::Unreadable(_)) => Ok(()),
            other => other,
        }
    }

    fn leave_out(&mut self, path: String, reason: &str) {
        self.found.unlisted.push(Unlisted { path, reason: reason.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    struct Notes;

    impl Wanted for Notes {
        fn folder(&self, path: &str) -> bool {
            !path.ends_with("hidden")
        }

        fn file(&self, path: &str) -> bool {
            path.ends_with(".md")
        }
    }

    #[test]
    fn files_are_listed_with_stamps_and_links_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for folder in ["a", "a/hidden", "b"] {
            std::fs::create_dir(at(folder)).unwrap();
        }
        for (file, text) in [("a/x.md", "four"), ("a-b.md", "1"), ("a/hidden/y.md", ""), ("b/z.txt", "")] {
            std::fs::write(at(file), text).unwrap();
        }
        std::os::unix::fs::symlink(at("a/x.md"), at("b/link.md")).unwrap();
        std::os::unix::fs::symlink(at("a"), at("b/folder")).unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let survey = boundary.survey(&Notes, &Call::quiet(Duration::from_secs(60))).unwrap();
        let found: Vec<(&str, u64)> = survey.files.iter().map(|file| (file.path.as_str(), file.stamp.size)).collect();
        assert_eq!(found, [("a-b.md", 1), ("a/x.md", 4)]);
        assert_eq!(survey.unlisted, [Unlisted { path: "b/link.md".into(), reason: "it is a link".into() }]);
        let path = boundary.resolve("a/x.md").unwrap();
        assert_eq!(boundary.stamp(&path).unwrap(), survey.files[1].stamp);
        std::fs::write(at("a/x.md"), "five!").unwrap();
        assert_ne!(boundary.stamp(&path).unwrap(), survey.files[1].stamp);
    }

    #[test]
    fn a_call_that_is_over_ends_the_survey() {
        let dir = tempfile::tempdir().unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let call = Call::quiet(Duration::from_secs(60));
        call.cancel.cancel();
        assert_eq!(boundary.survey(&Notes, &call).unwrap_err().code(), crate::base::ErrorCode::Cancelled);
    }
}
