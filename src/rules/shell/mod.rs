//! sh and bash: functions with their complexity, a maintainability index, and native rules.
//!
//! The grammar knows most of bash, and not all of it. Whether a script parses is for ShellCheck to say, which is asked beside
//! these; what is measured here is measured on what the tree has.

mod commands;
mod context;
mod language;
pub mod rules;

pub use language::analyze_shell;
