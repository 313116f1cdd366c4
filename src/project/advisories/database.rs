//! Advisories read from files: single ones, lists, lines, archives, folders of all these.

use std::collections::HashMap;
use std::io::{Cursor, Read as _};
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::osv::Advisory;
use crate::packages::Ecosystem;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::{Boundary, WalkOptions};

/// The largest file of a database, in bytes.
const MAX: u64 = 512 << 20;
/// The largest JSON document, in bytes: a file, a line, or a file inside an archive. In memory it takes a multiple of that.
const DOCUMENT_MAX: usize = 64 << 20;
/// What an archive may unpack to in any case, and how often its own size beyond that; advisories shrink to about a tenth.
const UNPACKED_MIN: u64 = 64 << 20;
const UNPACKED_TIMES: u64 = 40;

/// Advisories by package.
#[derive(Debug, Default)]
pub struct Database {
    advisories: Vec<Advisory>,
    by_package: HashMap<(Ecosystem, String), Vec<usize>>,
    digest: Sha256,
    newest: String,
    unread: Vec<String>,
}

impl Database {
    /// Reads the databases named: relative to a project through its boundary, and one anywhere on this machine.
    ///
    /// # Errors
    /// `config_error` when none is named or one holds no advisory; `file_not_found` and `path_denied` for paths.
    pub fn open(boundary: &Boundary, inside: &[String], shared: Option<&Path>) -> Result<Self> {
        if inside.is_empty() && shared.is_none() {
            return Err(Error::new(
                ErrorCode::ConfigError,
                "no database of advisories is named, so nothing is known of vulnerabilities",
            )
            .hint(
                "fetch one in OSV's format, and set `advisories.files` (in the project) or `advisories.shared` to it",
            ));
        }
        let mut database = Self::default();
        for path in inside {
            let before = database.advisories.len();
            database.load_path(boundary, path)?;
            database.expect_some(before, path)?;
        }
        if let Some(path) = shared {
            let before = database.advisories.len();
            let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
            let own = Boundary::open(folder)?;
            let name = if path.is_dir() { "." } else { path.file_name().and_then(|name| name.to_str()).unwrap_or(".") };
            database.load_path(&own, name)?;
            database.expect_some(before, &path.display().to_string())?;
        }
        database.sort_and_index();
        Ok(database)
    }

    /// Advisories that hold and concern a known ecosystem.
    #[must_use]
    pub fn len(&self) -> usize {
        self.advisories.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.advisories.is_empty()
    }

    /// SHA-256 over the files, in the order of their paths.
    #[must_use]
    pub fn sha256(&self) -> String {
        self.digest.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// When the newest advisory was changed, as it says; empty when none does.
    #[must_use]
    pub fn newest(&self) -> &str {
        &self.newest
    }

    /// Files that hold no advisory.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        &self.unread
    }

    /// The advisories that name a package.
    pub(super) fn advisories_for(&self, ecosystem: Ecosystem, name: &str) -> impl Iterator<Item = &Advisory> {
        let found = self.by_package.get(&(ecosystem, name.to_owned()));
        found.into_iter().flatten().filter_map(|at| self.advisories.get(*at))
    }

    fn expect_some(&self, before: usize, path: &str) -> Result<()> {
        if self.advisories.len() > before {
            return Ok(());
        }
        Err(Error::new(ErrorCode::ConfigError, format!("the database {path} holds no advisory that can be read"))
            .hint("name a JSON file in OSV's format, a folder of them, or a ZIP archive of them"))
    }

    fn load_path(&mut self, boundary: &Boundary, path: &str) -> Result<()> {
        let start = boundary.resolve(path)?;
        for file in boundary.walk(&start, &WalkOptions { include_ignored: true, ..WalkOptions::default() })? {
            let name = file.as_str();
            if ![".json", ".jsonl", ".ndjson", ".zip"].iter().any(|ending| name.ends_with(ending)) {
                continue;
            }
            let bytes = boundary.read(&file, MAX)?;
            self.digest.update(Sha256::digest(&bytes));
            if !self.load_file_bytes(name, &bytes) {
                self.unread.push(name.to_owned());
            }
        }
        Ok(())
    }

    /// Takes the advisories of one file; false when it holds none.
    fn load_file_bytes(&mut self, name: &str, bytes: &[u8]) -> bool {
        if name.ends_with(".zip") {
            return self.load_archive(bytes);
        }
        if name.ends_with("l") || name.ends_with(".ndjson") {
            let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
            let read: Vec<bool> = lines.map(|line| self.load_json_document(line)).collect();
            return read.contains(&true);
        }
        self.load_json_document(bytes)
    }

    fn load_json_document(&mut self, text: &[u8]) -> bool {
        text.len() <= DOCUMENT_MAX && serde_json::from_slice(text).is_ok_and(|value| self.load_json_value(value))
    }

    /// Takes the advisories of an archive; false when it holds none, or is out of all proportion.
    fn load_archive(&mut self, bytes: &[u8]) -> bool {
        let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else { return false };
        let mut any = false;
        let mut left = UNPACKED_MIN + UNPACKED_TIMES * bytes.len() as u64;
        for at in 0..archive.len() {
            let Ok(file) = archive.by_index(at) else { continue };
            if !file.name().is_ok_and(|name| name.ends_with(".json")) {
                continue;
            }
            let mut text = Vec::new();
            let most = left.min(DOCUMENT_MAX as u64);
            let whole = file.take(most + 1).read_to_end(&mut text).is_ok() && text.len() as u64 <= most;
            left = left.saturating_sub(text.len() as u64);
            if left == 0 {
                return false;
            }
            any |= whole && self.load_json_document(&text);
        }
        any
    }

    /// One advisory, a list, or the answer of a service; true when at least one was read.
    fn load_json_value(&mut self, value: Value) -> bool {
        let list = match value {
            Value::Array(list) => list,
            Value::Object(mut object) => match object.remove("vulns") {
                Some(Value::Array(list)) => list,
                _ => vec![Value::Object(object)],
            },
            _ => return false,
        };
        let mut any = false;
        for value in list {
            let Ok(advisory) = serde_json::from_value::<Advisory>(value) else { continue };
            if advisory.id.is_empty() {
                continue;
            }
            any = true;
            if advisory.modified > self.newest {
                self.newest.clone_from(&advisory.modified);
            }
            if advisory.withdrawn.is_none() {
                self.advisories.push(advisory);
            }
        }
        any
    }

    /// Sorts the advisories; of those with one identifier the one changed last counts.
    fn sort_and_index(&mut self) {
        self.advisories.sort_by(|a, b| a.id.cmp(&b.id).then_with(|| b.modified.cmp(&a.modified)));
        self.advisories.dedup_by(|a, b| a.id == b.id);
        for (at, advisory) in self.advisories.iter().enumerate() {
            for package in advisory.affected.iter().filter_map(|affected| affected.package.as_ref()) {
                let Some(ecosystem) = Ecosystem::of_word(&package.ecosystem) else { continue };
                let found = self.by_package.entry((ecosystem, ecosystem.normalize_name(&package.name))).or_default();
                if found.last() != Some(&at) {
                    found.push(at);
                }
            }
        }
    }
}
