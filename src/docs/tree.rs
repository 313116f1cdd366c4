//! The files of one package, wherever they lie: installed in the project or packed in an archive.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use crate::base::{Error, ErrorCode, Result};
use crate::guard::Boundary;

/// The largest file that is read, in bytes.
pub const FILE_MAX: u64 = 4 << 20;
/// An archive with more entries than this is refused.
const ENTRIES_MAX: usize = 60_000;
/// An archive that holds more text than this is refused, in bytes.
const TOTAL_MAX: u64 = 512 << 20;

/// Files that can be listed and read.
pub trait Tree: Sync {
    /// Paths relative to the package's root folder, with `/`, sorted.
    fn files(&self) -> &[String];

    /// The bytes of one of these files.
    ///
    /// # Errors
    /// `file_not_found`, or what reading says.
    fn read(&self, path: &str) -> Result<Vec<u8>>;

    /// The text of a file; `None` when it is missing, too large or no UTF-8.
    fn text(&self, path: &str) -> Option<String> {
        let text = String::from_utf8(self.read(path).ok()?).ok()?;
        Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

/// Files below a folder of the project.
#[derive(Debug)]
pub struct Installed<'b> {
    boundary: &'b Boundary,
    /// Relative to the project; empty for the project itself.
    folder: String,
    files: Vec<String>,
}

impl<'b> Installed<'b> {
    /// The named files below `folder`.
    #[must_use]
    pub fn new(boundary: &'b Boundary, folder: &str, mut files: Vec<String>) -> Self {
        files.sort();
        files.dedup();
        Self { boundary, folder: folder.to_owned(), files }
    }
}

impl Tree for Installed<'_> {
    fn files(&self) -> &[String] {
        &self.files
    }

    fn read(&self, path: &str) -> Result<Vec<u8>> {
        let whole = if self.folder.is_empty() { path.to_owned() } else { format!("{}/{path}", self.folder) };
        self.boundary.read(&self.boundary.resolve(&whole)?, FILE_MAX)
    }
}

/// Files held in memory.
#[derive(Debug, Default)]
pub struct Packed {
    names: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
}

impl Packed {
    /// Reads the wanted files of a wheel.
    ///
    /// # Errors
    /// `corrupted_data` for what is no zip archive, is cut short, or is out of all proportion.
    pub fn wheel(bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Result<Self> {
        let broken = |why: &dyn std::fmt::Display| corrupted(&format!("the wheel cannot be read: {why}"));
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if archive.len() > ENTRIES_MAX {
            return Err(broken(&format_args!("it has {} entries", archive.len())));
        }
        let (mut packed, mut total) = (Self::default(), 0_u64);
        for at in 0..archive.len() {
            let entry = archive.by_index(at).map_err(|error| broken(&error))?;
            let name = entry.name().map_err(|_| broken(&"a name is no text"))?.into_owned();
            if entry.is_dir() || !wanted(&name) {
                continue;
            }
            let mut content = Vec::new();
            entry.take(FILE_MAX + 1).read_to_end(&mut content).map_err(|error| broken(&error))?;
            total = total.saturating_add(content.len() as u64);
            if total > TOTAL_MAX {
                return Err(broken(&"it unpacks to more than 512 MiB"));
            }
            if content.len() as u64 <= FILE_MAX {
                packed.files.insert(name, content);
            }
        }
        packed.names = packed.files.keys().cloned().collect();
        Ok(packed)
    }

    /// Files that are there already.
    #[must_use]
    pub fn of(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self { names: files.keys().cloned().collect(), files }
    }
}

impl Tree for Packed {
    fn files(&self) -> &[String] {
        &self.names
    }

    fn read(&self, path: &str) -> Result<Vec<u8>> {
        let missing = || Error::new(ErrorCode::FileNotFound, format!("the package has no file `{path}`"));
        self.files.get(path).cloned().ok_or_else(missing)
    }
}

fn corrupted(message: &str) -> Error {
    Error::new(ErrorCode::CorruptedData, message).hint("fetch the file again")
}
