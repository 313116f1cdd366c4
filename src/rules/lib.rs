//! Rules and metrics that are computed here, from the tree of a file alone.

pub mod c;
pub mod common;
#[cfg(test)]
mod examples;
pub mod go;
mod habit;
pub mod java;
pub mod python;
pub mod rust;
pub mod script;
pub mod shape;
pub mod shell;
pub mod suppression;
mod tree;

use tapps_syntax::words;
