//! `coderef`: code intelligence on the command line.

mod answer;
pub mod args;
mod human;
mod records;
mod run;

pub use run::main;
