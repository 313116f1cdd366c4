//! Failures that nobody looks at.

use super::prelude::*;
use crate::rust::calls::{called_method, is_call_of, is_method_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "ignored-result",
    aliases: &["clippy:let_underscore_must_use"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "What was to be written may not be there, and the program goes on as if it were.",
    help: "Hand the error on with `?`, log it, or say in a comment why it does not matter.",
    explanation: "`let _ =` and a bare `.ok();` take an error and drop it. Of a call that writes, renames or \
        flushes, the error is the only sign that the data is not where it belongs: the disk is full, the \
        folder is gone, the other side has hung up. Where it truly does not matter, a comment beside it \
        says why. Clean-up that removes files is left alone, and so is what is written to a text or a \
        terminal.",
    examples: &[Example {
        path: "example.rs",
        bad: r#"use std::fs;

pub fn save(settings: &str) {
    let _ = fs::write("settings.toml", settings);
}
"#,
        good: r#"use std::fs;

pub fn save(settings: &str) -> std::io::Result<()> {
    fs::write("settings.toml", settings)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner =
    RustRunner::Kinds(&["let_declaration", "expression_statement"], check_ignored_result);

const CALLS: &[&str] = &[
    "fs::write",
    "fs::rename",
    "fs::copy",
    "fs::create_dir_all",
    "fs::create_dir",
    "fs::hard_link",
    "env::set_current_dir",
    "fs::set_permissions",
];
const METHODS: &[&str] = &["sync_all", "sync_data", "set_len", "persist", "commit", "write_all_at"];

fn check_ignored_result<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = dropped_call(context, node).filter(|_| !context.is_aside(node)) else { return };
    let is_fallible = is_call_of(context, call, CALLS)
        && context
            .called_path(call)
            .is_some_and(|path| path.starts_with("std::") || path.starts_with("tokio::") || path.starts_with("fs_err"))
        || is_method_of(context, call, METHODS);
    let line =
        context.tree().source_text().get(node.end_byte()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let is_explained = line.contains("//") || !context.comment_above(node).is_empty();
    if is_fallible && !is_explained {
        let callee = field(call, "function").map_or("", |function| context.text(function));
        out.push(context.report(&RULE, call, format!("`{callee}` may fail, and nobody looks")));
    }
}

/// The call in `let _ = call;` or `call.ok();`.
fn dropped_call<'c>(context: &RustContext<'c>, node: Node<'c>) -> Option<Node<'c>> {
    let value = if node.kind() == "let_declaration" {
        field(node, "value").filter(|_| field(node, "pattern").is_some_and(|pattern| context.text(pattern) == "_"))?
    } else {
        let outer = named_children(node).next()?;
        called_method(context, outer).filter(|(_, name)| *name == "ok").map(|(receiver, _)| receiver)?
    };
    if value.kind() == "await_expression" { named_children(value).next() } else { Some(value) }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                r#"fn f() { std::fs::create_dir_all("a").ok(); }"#,
                "fn f(file: &File) { let _ = file.sync_all(); }",
                r#"async fn f() { let _ = tokio::fs::rename("a", "b").await; }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"fn f() { let _ = std::fs::remove_file("a"); }"#,
                r#"fn f() {
    // The folder is there or the next step says so.
    let _ = std::fs::create_dir_all("a");
}"#,
                r#"fn f() { let written = std::fs::write("a", "b"); g(written); }"#,
                r#"#[test]
fn f() { let _ = std::fs::write("a", "b"); }"#,
            ],
        );
    }
}
