//! The joint between the engine and the languages it understands.
//!
//! A family reads each file by itself (kept between scans by the digest of the bytes) and then links all of its files
//! into edges. The engine walks, reads in parallel, keeps readings, numbers files and elements, and sorts what comes out.

use serde::{Deserialize, Serialize};

use super::duplicates::statement::FileStatements;
use super::model::{Edge, Element, ElementId, Family, FileId, IndexProblem, Language, Parse, SourceFile, Taken};
use super::{python, script, tree};
use tapps_sandbox::Boundary;

/// What a file is there for, as far as its content tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRole {
    /// A file of tests; the engine adds what its path says.
    pub test: bool,
    /// It holds something that a test runner would run, if it is a file of tests at all.
    pub cases: bool,
    /// It does something of its own when it is run as a program.
    pub runs: bool,
}

/// What one file says by itself, before any other file is looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ParsedFile {
    #[serde(with = "super::compact")]
    pub parse: Parse,
    pub lines: u32,
    pub role: FileRole,
    /// In order of position; `file` is 0 and `parent` a position in this list until the engine numbers them.
    pub elements: Vec<Element>,
    pub facts: LanguageFacts,
}

impl ParsedFile {
    /// The binary form in which it is kept.
    #[must_use]
    pub fn to_form(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(self).ok()
    }

    /// What a binary form says.
    #[must_use]
    pub fn from_form(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

/// What linking needs to know of a file: imports, exports, scopes, calls. Each family defines its own.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub enum LanguageFacts {
    /// The file could not be read.
    #[default]
    None,
    Script(Box<script::ScriptFacts>),
    Python(Box<python::PythonFacts>),
    Tree(Box<tree::TreeSitterFacts>),
}

/// All files of a scan, numbered, ready for linking.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    pub boundary: &'a Boundary,
    /// Sorted by path.
    pub files: &'a [SourceFile],
    /// Sorted by file and position, with their final numbers.
    pub elements: &'a [Element],
    /// The facts of each file, in the order of `files`.
    pub facts: &'a [LanguageFacts],
    /// Of each file, the number of its first element; one more at the end.
    pub first: &'a [u32],
}

impl<'a> Project<'a> {
    /// The elements of one file; empty for a file that is not of this scan.
    #[must_use]
    pub fn elements_of(&self, file: FileId) -> &'a [Element] {
        let bounds = self.first.get(file.0 as usize).zip(self.first.get(file.0 as usize + 1));
        bounds.and_then(|(&from, &to)| self.elements.get(from as usize..to as usize)).unwrap_or_default()
    }

    /// The number of a file's `local`-th element.
    #[must_use]
    pub fn element_id(&self, file: FileId, local: u32) -> Option<ElementId> {
        let bounds = self.first.get(file.0 as usize).zip(self.first.get(file.0 as usize + 1));
        bounds.and_then(|(&from, &to)| (from + local < to).then_some(ElementId(from + local)))
    }
}

/// Reads one file of any language.
#[must_use]
pub fn parse_source_file(path: &str, language: Language, text: &str) -> ParsedFile {
    match language.family() {
        Family::Script | Family::ScriptInMarkup => script::parse_script_file(path, language, text),
        Family::Python => python::parse_python_file(path, text),
        Family::SyntaxTree => tree::parse_tree_sitter_file(path, language, text),
    }
}

/// The statements of one file of any language, by which clones are told.
#[must_use]
pub fn read_file_statements(path: &str, language: Language, text: &str) -> FileStatements {
    match language.family() {
        Family::Script | Family::ScriptInMarkup => script::read_script_statements(path, language, text),
        Family::Python => python::read_python_statements(text),
        Family::SyntaxTree => tree::read_tree_statements(language, text),
    }
}

/// What linking finds; the engine merges and sorts it.
#[derive(Debug, Default)]
pub struct Linked {
    pub edges: Vec<Edge>,
    pub taken: Vec<Taken>,
    pub problems: Vec<IndexProblem>,
}

impl FromIterator<Self> for Linked {
    fn from_iter<T: IntoIterator<Item = Self>>(parts: T) -> Self {
        let mut parts: Vec<Self> = parts.into_iter().collect();
        // The others join the largest, which then moves least; the engine sorts all of it anyway.
        let largest = parts.iter().zip(0..).max_by_key(|(part, _)| part.edges.len()).map(|(_, position)| position);
        let mut all = largest.map(|position| parts.swap_remove(position)).unwrap_or_default();
        all.edges.reserve(parts.iter().map(|part| part.edges.len()).sum());
        for part in parts {
            all.edges.extend(part.edges);
            all.taken.extend(part.taken);
            all.problems.extend(part.problems);
        }
        all
    }
}

/// The edges of a project and what else linking finds.
#[must_use]
pub fn link_languages(project: &Project<'_>) -> Linked {
    [script::link_scripts, python::link_python_files, tree::link_tree_sitter_files]
        .into_iter()
        .map(|link| link(project))
        .collect()
}
