//! Which file of the project a specifier names, by the rules of Node and TypeScript.
//!
//! Only files of the scan are answered; what is asked of packages outside of it stays outside.

mod builtin;
mod config;
mod jsonc;
mod package;
mod resolver;

pub use jsonc::parse as parse_json_with_comments;
pub use resolver::join_within_project;
pub(super) use resolver::{ResolvedSpecifier, Resolver};
pub(crate) use resolver::{ancestors, script_configuration_files};
