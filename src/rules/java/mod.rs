//! Java: parse errors, methods with their complexity, a maintainability index, and native rules.
//!
//! What is known is what the tree of one file shows. Types are those that the file writes beside a name: a rule that would
//! need others says nothing.

mod calls;
mod context;
mod handlers;
mod language;
mod requests;
pub mod rules;
mod scopes;

pub use language::analyze_java;
