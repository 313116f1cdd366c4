//! The joint between the engine and the languages it understands.
//!
//! A family reads each file by itself (kept between scans by the digest of the bytes) and then links all of its files
//! into edges. The engine walks, reads in parallel, keeps readings, numbers files and elements, and sorts what comes out.

use serde::{Deserialize, Serialize};

use super::model::{Edge, Element, ElementId, File, FileId, Parse};
use super::{python, script, tree};
use crate::guard::Boundary;

/// What one file says by itself, before any other file is looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reading {
    #[serde(with = "super::compact")]
    pub parse: Parse,
    pub lines: u32,
    /// By its content a file of tests; the engine adds what its path says.
    pub test: bool,
    /// In order of position; `file` is 0 and `parent` a position in this list until the engine numbers them.
    pub elements: Vec<Element>,
    pub facts: Facts,
}

/// What linking needs to know of a file: imports, exports, scopes, calls. Each family defines its own.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub enum Facts {
    /// The file could not be read.
    #[default]
    None,
    Script(Box<script::Facts>),
    Python(Box<python::Facts>),
    Tree(Box<tree::Facts>),
}

/// All files of a scan, numbered, ready for linking.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    pub boundary: &'a Boundary,
    /// Sorted by path.
    pub files: &'a [File],
    /// Sorted by file and position, with their final numbers.
    pub elements: &'a [Element],
    /// The facts of each file, in the order of `files`.
    pub facts: &'a [Facts],
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
pub fn read(path: &str, language: super::model::Lang, text: &str) -> Reading {
    use super::model::Lang;
    match language {
        Lang::TypeScript | Lang::Tsx | Lang::JavaScript | Lang::Jsx | Lang::Vue | Lang::Svelte => {
            script::read(path, language, text)
        }
        Lang::Python => python::read(path, text),
        Lang::Rust | Lang::Go | Lang::Java | Lang::C | Lang::Cpp => tree::read(path, language, text),
    }
}

/// The edges of a project; the engine merges and sorts them.
#[must_use]
pub fn link(project: &Project<'_>) -> Vec<Edge> {
    [script::link, python::link, tree::link].into_iter().flat_map(|link| link(project)).collect()
}
