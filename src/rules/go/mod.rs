//! Go: parse errors, functions with gocyclo's complexity, a maintainability index, and native rules.
//!
//! What is known is what the tree of one file shows. No types are computed: a rule that would need them says nothing where
//! the text of the file does not settle the question.

mod analyze;
mod blocks;
mod calls;
mod cognitive;
mod context;
mod halstead;
mod requests;
pub mod rules;
mod scopes;
mod tree;

pub use analyze::analyze_go;
