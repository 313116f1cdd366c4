//! What every rule imports.

pub(super) use tapps_syntax::nodes::Node;

pub(super) use super::ShellRunner;
pub(super) use crate::shell::commands::{CommandCall, command_call, piped_commands, unquoted};
pub(super) use crate::shell::context::ShellContext;
pub(super) use crate::tree::nodes::{field, named_children};
pub(super) use crate::words::split_identifier_words;
pub(super) use tapps_base::finding::{Category, Finding, Severity, Tool};
pub(super) use tapps_base::rule::{Example, Rule};
