//! Waiting that stops everybody else.

use super::prelude::*;
use crate::rust::calls::{is_call_of, is_method_of};
use crate::rust::scopes::is_in_async;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "blocking-in-async",
    aliases: &["clippy:disallowed_methods"],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "A call that blocks stops every other task on the thread of the executor.",
    help: "Use the asynchronous counterpart, or `spawn_blocking`.",
    explanation: "An executor runs many tasks on few threads, and a task gives its thread back only at an \
        `.await`. A sleep, a read of a file or a wait for a process in between holds all of them up: \
        requests of others, timers, the answer that it waits for itself. The runtime has asynchronous \
        counterparts (`tokio::time::sleep`, `tokio::fs`, `tokio::process`); what has none goes to \
        `spawn_blocking`.",
    examples: &[Example {
        path: "example.rs",
        bad: "use std::fs;

pub async fn page(name: &str) -> std::io::Result<String> {
    let text = fs::read_to_string(name)?;
    Ok(render(&text).await)
}
",
        good: "use tokio::fs;

pub async fn page(name: &str) -> std::io::Result<String> {
    let text = fs::read_to_string(name).await?;
    Ok(render(&text).await)
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_blocking_in_async);

const BLOCKING: &[&str] = &[
    "std::fs::copy",
    "std::fs::read",
    "std::fs::read_dir",
    "std::fs::read_to_string",
    "std::fs::remove_dir_all",
    "std::fs::write",
    "std::fs::File::open",
    "std::fs::File::create",
    "std::net::TcpStream::connect",
    "std::thread::sleep",
    "reqwest::blocking::get",
    "reqwest::blocking::Client::new",
    "std::io::copy",
    "std::io::read_to_string",
    "ureq::get",
    "ureq::post",
];

fn check_blocking_in_async<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let of_process = || {
        let program =
            context.tree().subtree_of(node).find(|at| is_call_of(context, *at, &["std::process::Command::new"]));
        is_method_of(context, node, &["output", "status"]) && program.is_some()
    };
    let path = context.called_path(node).filter(|path| BLOCKING.contains(path));
    if path.is_none() && !of_process() || context.is_aside(node) {
        return;
    }
    let parent = context.tree().parent_of(node).map(|parent| parent.kind());
    if is_in_async(context, node) && parent != Some("await_expression") {
        let what = path.unwrap_or("Command");
        out.push(context.report(&RULE, node, format!("`{what}` stops every other task of this thread")));
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
            &[
                "async fn f() { std::thread::sleep(D); }",
                r#"use std::process::Command;
async fn f() { let done = Command::new("a").arg("b").status(); g(done); }"#,
                r#"fn f() { spawn(async move { std::fs::write("a", "b") }); }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f() { std::thread::sleep(D); }",
                r#"async fn f() { tokio::task::spawn_blocking(|| std::fs::read("a")).await; }"#,
                r#"use tokio::process::Command;
async fn f() { Command::new("a").status().await; }"#,
                "async fn f() { fn g() { std::thread::sleep(D); } g() }",
                "#[tokio::test]
async fn f() { std::thread::sleep(D); }",
            ],
        );
    }
}
