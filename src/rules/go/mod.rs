//! Go: parse errors, functions with gocyclo's complexity, a maintainability index, and native rules.
//!
//! What is known is what the tree of one file shows. No types are computed: a rule that would need them says nothing where
//! the text of the file does not settle the question.

mod calls;
mod comments;
mod context;
mod dropped;
mod failures;
mod handled;
mod language;
mod mentions;
mod once;
mod purposes;
mod requests;
pub mod rules;
mod scopes;
mod verbs;
mod versions;
mod writers;

pub use context::{generated_mark, is_beyond_advice_at, test_import};
pub use language::analyze_go;
pub use versions::{GoVersion, mended_by};
