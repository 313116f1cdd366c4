//! What every rule imports.

pub(super) use tapps_syntax::nodes::Node;

pub(super) use super::JavaRunner;
pub(super) use crate::java::context::JavaContext;
pub(super) use crate::tree::nodes::{children_of_kind, field, named_children};
pub(super) use tapps_base::finding::{Category, Finding, Severity, Tool};
pub(super) use tapps_base::rule::{Example, Rule};
