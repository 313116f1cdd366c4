//! Rust, Go, Java, C, C++ and shell: elements, imports and calls by tree-sitter.
//!
//! Calls of Go, Rust and Java are followed across files by the rules of the language; those of the others are
//! resolved only where the file itself shows what is meant, and are ambiguous elsewhere.

mod arena;
mod callables;
mod declared;
mod evaluation;
mod facts;
mod flow;
mod go;
mod head;
mod imports;
mod java;
mod keyed;
mod link;
mod meaning;
mod metrics;
pub(crate) mod paths;
mod places;
mod read;
mod rust;
mod scopes;
mod statement_spans;
mod walk;

pub use facts::{Receiver, TreeSitterCall, TreeSitterFacts, TreeSitterImport, TreeSitterImportForm};
pub use link::link_tree_sitter_files;
pub use read::parse_tree_sitter_file;
pub use statement_spans::read_tree_statements;
