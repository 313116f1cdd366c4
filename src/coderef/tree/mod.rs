//! Rust, Go, Java, C and C++: elements and imports by tree-sitter.
//!
//! Calls are resolved only where the file itself shows what is meant; across files they are ambiguous.

mod callables;
mod declared;
mod head;
mod imports;
mod link;
mod metrics;
mod read;
mod walk;

use serde::{Deserialize, Serialize};

pub use link::link;
pub use read::read;

/// What linking needs to know of one file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Facts {
    pub imports: Vec<Import>,
    pub calls: Vec<Call>,
}

/// One import, include or module declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// As written, without quotes, brackets and semicolon: `a.b.C`, `crate::a::b`, `util/list.h`.
    pub name: String,
    pub form: Form,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
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
pub struct Call {
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
