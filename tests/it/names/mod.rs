//! Names of libraries: what is not there is found, and nothing else is said.

mod change;
mod corpus;
mod decisions;
mod mutants;
mod support;
