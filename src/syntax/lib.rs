//! The parsers of Python and scripts, as everything here enters them: with a guard against deep nesting.

pub mod columns;
pub mod python;
pub mod script;
pub mod stack;
