//! What every rule imports.

pub(super) use tapps_syntax::nodes::Node;

pub(super) use super::CRunner;
pub(super) use crate::c::calls::{arguments_of, is_library_call, is_literal_text};
pub(super) use crate::c::context::CContext;
pub(super) use crate::tree::nodes::{children_of_kind, field, named_children, operator_of};
pub(super) use tapps_base::finding::{Category, Finding, Severity, Tool};
pub(super) use tapps_base::rule::{Example, Rule};
