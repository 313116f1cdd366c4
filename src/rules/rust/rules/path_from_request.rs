//! Paths of files that a caller chooses.

use super::prelude::*;
use crate::rust::calls::{arguments_of, composed_text, is_call_of};
use crate::rust::requests::{names_parameter_of_request, stems_from_request};

pub use crate::common::path_from_request::RULE;

/// What differs in Rust.
const IN_RUST: Rule = Rule {
    help: "Look the name up in a list, or take the last part alone (`file_name`) and check that the path \
        stays below its root.",
    ..RULE
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_path_from_request);

const OPENERS: &[&str] = &[
    "File::create",
    "File::open",
    "fs::copy",
    "fs::create_dir_all",
    "fs::read",
    "fs::read_dir",
    "fs::read_to_string",
    "fs::remove_dir_all",
    "fs::remove_file",
    "fs::rename",
    "fs::write",
    "NamedFile::open",
    "NamedFile::open_async",
];
/// What a path must pass before it is used.
const CHECKS: &[&str] = &[
    "canonicalize",
    "starts_with",
    "strip_prefix",
    "file_name",
    "components",
    "sanitize",
    "Component::Normal",
    "contains(\"..\")",
];

fn check_path_from_request<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, OPENERS) || context.is_aside(node) {
        return;
    }
    let is_checked = CHECKS.iter().any(|check| context.text_around(node).contains(check));
    let arguments = arguments_of(node);
    let Some(path) = arguments.first().filter(|_| !is_checked) else { return };
    let is_named_in_text = || {
        composed_text(context, *path).is_some_and(|text| {
            let is_from_request = |value: &&str| names_parameter_of_request(context, node, value);
            text.values.iter().any(is_from_request)
        })
    };
    if stems_from_request(context, *path) || is_named_in_text() {
        out.push(context.report(&IN_RUST, node, "a caller chooses the path of this file"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["use actix_web::web;
async fn f(path: web::Path<String>) -> R { let full = root.join(path.into_inner()); std::fs::read(&full) }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
            r#"use axum::extract::Path;
async fn f(Path(id): Path<u64>) -> R { std::fs::read(format!("uploads/{id}")) }"#,
            "use axum::extract::Path;
async fn f(Path(name): Path<String>) -> R { let full = root.join(&name).canonicalize()?; if !full.starts_with(root) { return e } std::fs::read(full) }",
            "use std::path::Path;
fn f(path: &Path) -> R { std::fs::read(path) }",
            ],
        );
    }
}
