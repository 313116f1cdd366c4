//! Languages that tree-sitter reads: what they have in common. A language is a table about its grammar, what its rules ask
//! of a file, and its rules.

mod analyze;
mod blocks;
mod cognitive;
pub(crate) mod context;
pub(crate) mod dispatch;
pub(crate) mod grammar;
mod halstead;
pub(crate) mod limits;
pub(crate) mod nodes;
pub(crate) mod roles;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod values;

pub(crate) use analyze::analyze_tree_language;
