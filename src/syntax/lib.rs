//! The parsers of all languages, as everything here enters them: those of Python and scripts with a guard against deep
//! nesting, which those of tree-sitter do not need.

mod attempt;
pub mod c;
pub mod columns;
pub mod kinds;
pub mod nodes;
pub mod python;
pub mod script;
pub mod shell;
pub mod stack;
pub mod tree;
pub mod words;
