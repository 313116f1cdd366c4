//! Python: elements, and edges with the proof of scopes, imports, class heritage and typed receivers.

mod attributes;
mod builtins;
mod cognitive;
mod define;
pub mod facts;
mod generator;
mod head;
mod heritage;
mod link;
mod logical_lines;
mod modules;
mod names;
mod read;
mod statements;
mod types;
mod values;
mod walk;
pub mod word;

pub use facts::PythonFacts;
pub use link::link_python_files;
pub use logical_lines::read_python_statements;
pub use read::parse_python_file;
