//! The lock of the interpreters: each archive by its address and its digest.
//!
//! It is apart from the lock of the tools, whose digest is in every fingerprint: another release of CPython is another
//! interpreter, and no other toolchain.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::cache::LockedFile;
use crate::lock::is_digest;
use crate::system::{PythonTag, System};
use tapps_base::{Error, ErrorCode, Result};

/// The lock of interpreters that this program was built with.
pub const EMBEDDED_INTERPRETERS: &str = include_str!("../../../nix/interpreters.lock.json");

/// The layout of the lock that this program reads.
const SCHEMA_VERSION: u32 = 1;
/// What the names of such archives end with.
const ENDING: &str = ".tar.gz";

/// One archive for each system and each Python.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterpreterLock {
    pub schema_version: u32,
    /// Where the digests were taken from.
    pub source: String,
    /// Sorted by system and Python.
    pub archives: Vec<InterpreterArchive>,
}

/// An archive that holds a CPython in its folder `python`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterpreterArchive {
    pub system: System,
    pub python: PythonTag,
    /// `X.Y.Z`.
    pub version: String,
    /// The release of python-build-standalone that it is of.
    pub release: String,
    /// File name, without any folder.
    pub file: String,
    pub url: String,
    /// Bytes, where they are known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub size: Option<u64>,
    pub sha256: String,
}

impl InterpreterLock {
    /// Reads a lock and checks it.
    ///
    /// # Errors
    /// `corrupted_data` when the text is not a lock of this schema or an entry is not whole.
    pub fn parse(text: &str) -> Result<Self> {
        let lock: Self = serde_json::from_str(text).map_err(|e| corrupted_lock(format!("it cannot be read: {e}")))?;
        lock.check()?;
        Ok(lock)
    }

    /// The lock this program was built with.
    ///
    /// # Errors
    /// `corrupted_data` when it is not whole, which a test rules out.
    pub fn embedded() -> Result<&'static Self> {
        static LOCK: LazyLock<Result<InterpreterLock>> =
            LazyLock::new(|| InterpreterLock::parse(EMBEDDED_INTERPRETERS));
        LOCK.as_ref().map_err(Clone::clone)
    }

    /// The lock in a file of the user's; the program's own where none is named.
    pub(crate) fn of_file(file: Option<&Path>) -> Result<Self> {
        let Some(file) = file else { return Self::embedded().cloned() };
        let named = |error: Error| error.located_at(file.display()).hint("name another file, or unset the key");
        let text = std::fs::read_to_string(file)
            .map_err(|e| Error::io_or(ErrorCode::ConfigError, format_args!("cannot read {}", file.display()), &e))
            .map_err(|error| error.hint("name a file that can be read with toolchain.interpreter_lock, or unset it"))?;
        Self::parse(&text).map_err(named)
    }

    /// The archives for a system, the newest Python first.
    pub(crate) fn newest_first(&self, system: System) -> impl Iterator<Item = &InterpreterArchive> {
        self.archives.iter().rev().filter(move |archive| archive.system == system)
    }

    fn check(&self) -> Result<()> {
        if self.schema_version != SCHEMA_VERSION {
            let found = self.schema_version;
            return Err(corrupted_lock(format!("its schema version is {found}, this program reads {SCHEMA_VERSION}")));
        }
        self.archives.iter().try_for_each(InterpreterArchive::check)?;
        if !self.archives.is_sorted_by(|a, b| (a.system, a.python) < (b.system, b.python)) {
            return Err(corrupted_lock("it is not sorted, or has two archives for one system and Python"));
        }
        let digests: BTreeSet<&str> = self.archives.iter().map(|archive| archive.sha256.as_str()).collect();
        if digests.len() != self.archives.len() {
            return Err(corrupted_lock("two archives have the same digest"));
        }
        Ok(())
    }
}

impl InterpreterArchive {
    fn check(&self) -> Result<()> {
        let file = &self.file;
        let plain = file.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-+".contains(&b));
        if !plain || file.starts_with('.') || !file.ends_with(ENDING) {
            return Err(corrupted_lock(format!("`{}` is no name of such an archive", file.escape_debug())));
        }
        if PythonTag::of_version(&self.version) != Some(self.python) {
            return Err(corrupted_lock(format!("{file} is CPython {} and stands for {}", self.version, self.python)));
        }
        let web = self.url.starts_with("https://") || self.url.starts_with("http://");
        if !web || self.url.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(corrupted_lock(format!("{file} has no address")));
        }
        if !is_digest(&self.sha256) {
            return Err(corrupted_lock(format!("{file} has no digest")));
        }
        Ok(())
    }

    /// The program in the unpacked archive.
    pub(super) fn program(&self) -> String {
        format!("python/bin/{}", self.python.command_name())
    }
}

impl<'a> From<&'a InterpreterArchive> for LockedFile<'a> {
    fn from(archive: &'a InterpreterArchive) -> Self {
        let InterpreterArchive { file, size, sha256, .. } = archive;
        Self { file, size: *size, sha256, integrity: None }
    }
}

fn corrupted_lock(message: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::CorruptedData, format!("the lock of interpreters is not whole: {message}"))
        .hint("write the lock anew with packaging/interpreters-lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut InterpreterLock)) -> Result<InterpreterLock> {
        let mut lock = InterpreterLock::embedded().unwrap().clone();
        change(&mut lock);
        InterpreterLock::parse(&serde_json::to_string(&lock).unwrap())
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        assert!(with(|_| {}).is_ok());
        type Change = fn(&mut InterpreterLock);
        let changes: [(Change, &str); 8] = [
            (|lock| lock.schema_version = 2, "schema version is 2"),
            (|lock| lock.archives.reverse(), "not sorted"),
            (|lock| lock.archives.insert(0, lock.archives[0].clone()), "two archives for one"),
            (|lock| lock.archives[1].sha256 = lock.archives[0].sha256.clone(), "the same digest"),
            (|lock| lock.archives[0].sha256.make_ascii_uppercase(), "has no digest"),
            (|lock| lock.archives[0].file = "../x.tar.gz".into(), "no name of such an archive"),
            (|lock| lock.archives[0].url = "file:///x.tar.gz".into(), "has no address"),
            (|lock| lock.archives[0].version = "3.12.1".into(), "stands for cp311"),
        ];
        for (change, said) in changes {
            let error = with(change).unwrap_err();
            assert_eq!(error.code(), ErrorCode::CorruptedData);
            assert!(error.message().contains(said), "{said}: {error}");
        }
    }
}
