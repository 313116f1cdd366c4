//! Edits that leave everything else of a document as it stands: comments, order, indentation, line ends.

pub(super) mod json;
pub mod json_merge;
pub mod json_remove;
pub mod json_servers;
mod kept;
pub mod section;
pub mod toml_servers;
mod yaml;
pub mod yaml_servers;

use serde_json::Value;

use super::Launch;
use super::client::{ServerEntryShape, Syntax};
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

impl WantedServerEntry<'_> {
    /// What an entry says of the program and its arguments, in the form of its client.
    fn started_by(&self, arguments: Vec<String>) -> Vec<(&'static str, Value)> {
        let command = self.launch.command.clone();
        match self.shape {
            ServerEntryShape::CommandAndArguments => vec![("command", command.into()), ("args", arguments.into())],
            ServerEntryShape::NamedExtension => vec![("cmd", command.into()), ("args", arguments.into())],
            ServerEntryShape::OneList => {
                let words: Vec<String> = std::iter::once(command).chain(arguments).collect();
                vec![("command", words.into())]
            }
        }
    }

    /// All that a new entry says.
    fn new_entry(&self) -> Vec<(&str, Value)> {
        let is_named = self.shape == ServerEntryShape::NamedExtension;
        let named = [("enabled", Value::Bool(true)), ("name", self.name.into())];
        let besides = self.besides.iter().map(|(key, value)| (*key, Value::from(*value)));
        let own = self.started_by(self.launch.serve_arguments());
        named.into_iter().filter(|_| is_named).chain(besides).chain(own).collect()
    }
}

/// The document with the entry in it.
///
/// # Errors
/// As [`json_servers::set_server`].
pub fn set_server(syntax: Syntax, text: &str, file: &str, wanted: &WantedServerEntry<'_>) -> Result<String> {
    match syntax {
        Syntax::Json => json_servers::set_server(text, file, wanted),
        Syntax::Toml => toml_servers::set_server(text, file, wanted),
        Syntax::Yaml => yaml_servers::set_server(text, file, wanted),
    }
}

/// The entries of the servers that stand under a key; none in a text of nothing.
///
/// # Errors
/// `config_error` with line and column for a broken document.
pub fn list_servers(syntax: Syntax, text: &str, file: &str, key: &str) -> Result<Vec<ServerEntry>> {
    match syntax {
        _ if text.trim().is_empty() => Ok(Vec::new()),
        Syntax::Json => json_servers::list_json_servers(text, file, key),
        Syntax::Toml => toml_servers::list_toml_servers(text, file, key),
        Syntax::Yaml => yaml_servers::list_yaml_servers(text, file, key),
    }
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

/// The mark of byte order that some editors of Windows begin a text with, and what comes after it.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    const BOM: char = '\u{feff}';
    text.split_at(if text.starts_with(BOM) { BOM.len_utf8() } else { 0 })
}

/// How the lines of a text end.
pub(super) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
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
