//! Rust, Go, Java, C, C++ and shell: elements and imports by tree-sitter.
//!
//! Calls are resolved only where the file itself shows what is meant; across files they are ambiguous.

mod callables;
mod crates;
mod declared;
mod head;
mod imports;
mod link;
mod metrics;
mod read;
mod statement_spans;
mod walk;

use serde::{Deserialize, Serialize};

pub use link::link_tree_sitter_files;
pub use read::parse_tree_sitter_file;
pub use statement_spans::read_tree_statements;

/// What linking needs to know of one file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TreeSitterFacts {
    pub imports: Vec<TreeSitterImport>,
    pub calls: Vec<TreeSitterCall>,
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
