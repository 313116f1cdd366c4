//! The statements of the project's files, as scores compare them.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use tapps_base::digest;
use tapps_base::language::Language;
use tapps_base::source::Source;
use tapps_coderef::duplicates::left_out::left_out;
use tapps_coderef::duplicates::repeats::{ComparedFile, RepeatIndex};
use tapps_coderef::duplicates::statement::FileStatements;
use tapps_coderef::family::read_file_statements;

/// What one file has to compare.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ComparedText {
    /// Of the bytes.
    sha256: String,
    /// Others are not compared with it.
    is_left_out: bool,
    #[serde(serialize_with = "write_statements", deserialize_with = "read_statements")]
    statements: Arc<FileStatements>,
}

fn write_statements<S: Serializer>(statements: &FileStatements, to: S) -> Result<S::Ok, S::Error> {
    statements.serialize(to)
}

fn read_statements<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<FileStatements>, D::Error> {
    FileStatements::deserialize(from).map(Arc::new)
}

impl ComparedText {
    /// Whether these are the bytes that it was made from.
    pub(crate) fn is_of(&self, bytes: &[u8]) -> bool {
        self.sha256 == digest::sha256(bytes)
    }

    pub(crate) fn from_bytes(path: &str, bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        Self {
            sha256: digest::sha256(bytes),
            is_left_out: left_out(path, text).is_some(),
            statements: Arc::new(statements_of_text(path, text)),
        }
    }
}

fn statements_of_text(path: &str, text: &str) -> FileStatements {
    let language = Language::of_path(path);
    language.map(|language| read_file_statements(path, language, text).without_names()).unwrap_or_default()
}

/// What all files have to compare; the index over them is made when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct ComparedTexts {
    /// Sorted by path.
    files: Vec<(String, Arc<ComparedText>)>,
    repeats: OnceLock<RepeatIndex>,
}

impl ComparedTexts {
    pub(crate) fn new(mut files: Vec<(String, Arc<ComparedText>)>) -> Self {
        files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Self { files, repeats: OnceLock::new() }
    }

    pub(crate) fn repeats(&self) -> &RepeatIndex {
        self.repeats.get_or_init(|| {
            let compared = self.files.iter().filter(|(_, text)| !text.is_left_out);
            let file = |(path, text): &(String, Arc<ComparedText>)| ComparedFile {
                path: path.clone(),
                statements: Arc::clone(&text.statements),
            };
            RepeatIndex::from_files(compared.map(file).collect())
        })
    }

    /// The statements of a file with these bytes, which need not be those that the project has there.
    pub(crate) fn statements_of(&self, source: &Source) -> Arc<FileStatements> {
        let known = self.files.binary_search_by(|(path, _)| path.as_str().cmp(source.path()));
        let known = known.ok().and_then(|at| self.files.get(at));
        match known.filter(|(_, text)| text.sha256 == source.sha256()) {
            Some((_, text)) => Arc::clone(&text.statements),
            None => Arc::new(statements_of_text(source.path(), source.text().unwrap_or_default())),
        }
    }
}
