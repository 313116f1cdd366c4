//! What the project around a file tells about it: coverage data, reach from the tests, structure, and the verdicts on these.

pub mod assess;
pub mod coverage;
pub mod facts;
mod files;
mod index;
mod ini;
mod manifest;
mod nesting;
mod parse;
pub mod reach;
mod roots;
pub mod rules;

pub use index::{Index, Snapshot};
