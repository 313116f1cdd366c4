//! Names of libraries: what is not there is found, and nothing else is said.

mod change;
pub(crate) mod corpus;
mod decisions;
mod given;
mod mutants;
mod script_versions;
mod standard;
pub(crate) mod support;
mod versions;
