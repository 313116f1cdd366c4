//! Which file of the project a specifier names, by the rules of Node and TypeScript.
//!
//! Only files of the scan are answered; what is asked of packages outside of it stays outside.

mod builtin;
mod config;
mod jsonc;
mod package;
mod resolver;

pub(super) use resolver::{ResolvedSpecifier, Resolver};
pub(crate) use resolver::{ancestors, join_within_project, script_configuration_files};
