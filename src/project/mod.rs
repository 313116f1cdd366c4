//! What the project around a file tells about it: coverage data, reach from the tests, structure, and the verdicts on these.

pub mod coverage;
pub mod files;
mod ini;
mod nesting;
mod parse;
mod roots;
