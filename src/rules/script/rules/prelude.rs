//! What every rule imports.

pub(super) use oxc_ast::AstKind;
pub(super) use oxc_ast::ast::Expression;
pub(super) use oxc_semantic::AstNode;
pub(super) use oxc_span::GetSpan;

pub(super) use super::ScriptRunner;
pub(super) use crate::script::context::ScriptContext;
pub(super) use tapps_base::finding::{Category, Finding, Severity, Tool};
pub(super) use tapps_base::rule::{Example, Rule};
