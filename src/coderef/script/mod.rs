//! TypeScript and JavaScript, also inside .vue and .svelte files.

pub mod facts;
mod link;
mod markup;
mod members;
mod read;
mod resolve;
mod statement_spans;

pub(super) use resolve::{ancestors, join_within_project, script_configuration_files};

pub use facts::ScriptFacts;
pub use link::link_scripts;
pub use read::parse_script_file;
pub use statement_spans::read_script_statements;
