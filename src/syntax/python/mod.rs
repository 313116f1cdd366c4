//! What every reader of Python needs: how deeply a text nests, lines and columns, names, cyclomatic complexity.

pub mod complexity;
pub mod depth;
pub mod entry;
pub mod equality;
pub mod lines;
pub mod names;
pub mod parse;
