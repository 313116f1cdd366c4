//! What linking needs to know of one file.

use serde::{Deserialize, Serialize};

use super::go::GoFacts;
use super::java::JavaFacts;
use super::rust::RustFacts;
use crate::family::{LanguageFacts, Project};
use crate::model::FileId;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TreeSitterFacts {
    pub imports: Vec<TreeSitterImport>,
    pub calls: Vec<TreeSitterCall>,
    pub(super) flow: Flow,
}

/// Types and values, of languages that are followed across files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) enum Flow {
    #[default]
    None,
    Go(Box<GoFacts>),
    Rust(Box<RustFacts>),
    Java(Box<JavaFacts>),
}

impl Flow {
    pub(super) fn go(&self) -> Option<&GoFacts> {
        if let Self::Go(facts) = self { Some(facts) } else { None }
    }

    pub(super) fn rust(&self) -> Option<&RustFacts> {
        if let Self::Rust(facts) = self { Some(facts) } else { None }
    }

    pub(super) fn java(&self) -> Option<&JavaFacts> {
        if let Self::Java(facts) = self { Some(facts) } else { None }
    }
}

/// The files of a language with their types and values.
pub(super) fn files_with_flow<'a, T: 'a>(
    project: &'a Project<'a>,
    of_language: fn(&'a Flow) -> Option<&'a T>,
) -> impl Iterator<Item = (FileId, &'a T)> {
    let files = (0..).map(FileId).take(project.files.len());
    files.filter_map(move |file| Some((file, of_language(flow_of(project, file)?)?)))
}

/// The types and values of a file; nothing for files of other families.
pub(super) fn flow_of<'a>(project: &Project<'a>, file: FileId) -> Option<&'a Flow> {
    match project.facts.get(file.0 as usize)? {
        LanguageFacts::Tree(facts) => Some(&facts.flow),
        _ => None,
    }
}

/// One import, include or module declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSitterImport {
    /// As written, without quotes, brackets and semicolon: `a.b.C`, `crate::a::b`, `util/list.h`.
    pub name: String,
    pub form: TreeSitterImportForm,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeSitterImportForm {
    /// `use`, `import`.
    Path,
    /// `#include "..."`.
    Quoted,
    /// `#include <...>`.
    System,
    /// `mod name;`
    Module,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSitterCall {
    /// The last name of the callee.
    pub name: String,
    pub receiver: Receiver,
    /// What is called, among the values of the file, where its language is followed.
    pub callee: Option<u32>,
    /// The element it is written in.
    pub element: Option<u32>,
    pub line: u32,
    pub column: u32,
}

/// What a call is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Receiver {
    /// Nothing: `f()`.
    None,
    /// The object at hand: `self.f()`, `this.f()`, `Self::f()`.
    Own,
    /// Something else.
    Other,
}
