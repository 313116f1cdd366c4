//! From the text of a script to its elements and facts.

mod assign;
mod calls;
mod classes;
mod declare;
mod doc;
mod elements;
mod entry;
mod exprs;
mod functions;
mod metrics;
mod modules;
mod reader;
mod text;
mod types;
mod visit;

pub use entry::parse_script_file;
