//! The index on disk: one small JSON file with what drift compares.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{CodebaseIndex, ElementKind};
use crate::reference::Reference;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;

/// Where an index is saved unless the caller says otherwise.
pub const SAVED_INDEX: &str = ".coderef/index.json";

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// Bytes of a saved index that are read.
const MOST_BYTES: u64 = 256 << 20;

/// A saved index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SavedIndex {
    pub format: String,
    pub version: u32,
    /// Sorted by path and line.
    pub elements: Vec<SavedElement>,
}

/// What is kept of an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SavedElement {
    pub file: String,
    pub path: String,
    pub kind: ElementKind,
    pub line: u32,
    pub end_line: u32,
    /// The hash of the body, in hexadecimal: not every reader of JSON keeps 64 bits.
    pub body: String,
}

/// The head of a file of any version.
#[derive(Debug, Deserialize)]
struct SavedIndexHeader {
    #[serde(default)]
    format: String,
    version: serde_json::Value,
}

const FORMAT: &str = "coderef-index";

impl SavedIndex {
    /// What is to be saved of an index.
    #[must_use]
    pub fn from_index(index: &CodebaseIndex) -> Self {
        let elements = index.elements.iter().map(|element| SavedElement {
            file: index.files.get(element.file.0 as usize).map_or_else(String::new, |file| file.path.clone()),
            path: element.path.clone(),
            kind: element.kind,
            line: element.span.line,
            end_line: element.span.end_line,
            body: format!("{:016x}", element.body),
        });
        Self { format: FORMAT.to_owned(), version: VERSION, elements: elements.collect() }
    }
}

impl SavedElement {
    /// The reference of the element as it was.
    #[must_use]
    pub fn reference(&self) -> String {
        let mut reference = Reference::to_file(&self.file);
        reference.designator = crate::reference::designator(self.kind).to_owned();
        reference.element = Some(self.path.clone());
        reference.lines = Some(crate::reference::ReferenceLines::One(self.line));
        reference.to_string()
    }

    /// The last part of the path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }
}

/// Saves an index at a project-relative path; [`SAVED_INDEX`] is the usual one. Only an older index is replaced.
///
/// # Errors
/// What [`read_saved_index`] says about something else in its place; `session_locked` when others save there all the
/// time; what the boundary says about the path; `internal` when it cannot be written.
pub fn write_saved_index(boundary: &Boundary, path: &str, index: &CodebaseIndex) -> Result<()> {
    let target = boundary.resolve(path)?;
    let parent = target.parent();
    if !parent.is_root() && boundary.kind(&parent).is_err() {
        boundary.make_folder(&parent)?;
    }
    let mut text = serde_json::to_string(&SavedIndex::from_index(index))
        .map_err(|e| Error::internal(format!("cannot write an index: {e}")))?;
    text.push('\n');
    boundary.replace_own_file(&target, text.as_bytes(), MOST_BYTES, |bytes| parse_saved_index(path, bytes).map(drop))
}

/// Reads a saved index.
///
/// # Errors
/// `file_not_found` when there is none; `corrupted_data` for something that is no index or of another version, with
/// what to do about it.
pub fn read_saved_index(boundary: &Boundary, path: &str) -> Result<SavedIndex> {
    let bytes = boundary.read(&boundary.resolve(path)?, MOST_BYTES).map_err(|error| match error.code() {
        ErrorCode::FileNotFound => {
            Error::new(ErrorCode::FileNotFound, format!("there is no saved index `{path}`")).hint("save an index first")
        }
        _ => error,
    })?;
    parse_saved_index(path, &bytes)
}

fn parse_saved_index(path: &str, bytes: &[u8]) -> Result<SavedIndex> {
    let again = || format!("save the index anew, with the code as `{path}` is to describe it");
    let corrupted = |why: String| Error::new(ErrorCode::CorruptedData, format!("`{path}` {why}")).hint(again());
    let head: SavedIndexHeader =
        serde_json::from_slice(bytes).map_err(|why| corrupted(format!("is no saved index: {why}")))?;
    if head.format != FORMAT {
        return Err(corrupted("is no saved index".to_owned()));
    }
    if head.version != VERSION {
        return Err(corrupted(format!("is of version {}, and this program reads version {VERSION}", head.version)));
    }
    serde_json::from_slice(bytes).map_err(|why| corrupted(format!("cannot be read: {why}")))
}
