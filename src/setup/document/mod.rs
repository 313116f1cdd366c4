//! Edits that leave everything else of a document as it stands: comments, order, indentation, line ends.

pub(super) mod json;
pub mod json_merge;
pub mod json_remove;
pub mod json_servers;
mod kept;
pub mod section;
pub mod toml_servers;

use super::Launch;
use super::client::ServerEntryShape;
use tapps_base::{Error, ErrorCode, Result};

/// An entry of a list of servers that starts a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    pub name: String,
    /// None for a server that is reached some other way.
    pub command: Option<String>,
    pub arguments: Vec<String>,
}

/// An entry that is wanted in a list of servers.
#[derive(Debug, Clone, Copy)]
pub struct WantedServerEntry<'a> {
    /// The key that the servers stand under.
    pub servers: &'a str,
    pub name: &'a str,
    pub launch: &'a Launch,
    pub shape: ServerEntryShape,
    /// What a new entry says besides.
    pub besides: &'a [(&'a str, &'a str)],
}

/// What is wrong at a place of a file that someone else wrote.
pub(super) fn broken_document_error(file: &str, line: usize, column: usize, what: &str) -> Error {
    let mut what = what.to_owned();
    // A fragment, whoever worded it.
    if let Some(first) = what.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    Error::new(ErrorCode::ConfigError, format!("{file}:{line}:{column}: {what}"))
        .hint("mend the file and try again; nothing was written")
}

/// A value of the user's is in the way of what has to be written.
pub(super) fn in_the_way(file: &str, key: &str, wanted: &str) -> Error {
    Error::new(ErrorCode::ConfigError, format!("`{key}` in {file} is not {wanted}"))
        .hint("mend or rename it and try again; nothing was written")
}

/// An entry of the wanted name belongs to something else.
pub(super) fn name_taken_error(file: &str, name: &str) -> Error {
    Error::new(ErrorCode::Conflict, format!("the entry `{name}` in {file} starts something else; nothing was written"))
        .hint("choose another name with --name, or rename that entry")
}

/// The text of a document.
///
/// # Errors
/// `config_error` with the place of the first byte that is not UTF-8.
pub(super) fn decode_document_text<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(before.get(start..).unwrap_or_default()).chars().count() + 1;
        broken_document_error(file, line, column, "not UTF-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_told_with_their_place() {
        let error = decode_document_text("a.json", b"{\n\"\xc3\xa9\xff\"}").unwrap_err();
        assert_eq!(error.message(), "a.json:2:3: not UTF-8");
    }
}
