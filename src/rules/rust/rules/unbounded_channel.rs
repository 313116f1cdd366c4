//! Queues that grow until memory ends.

use super::prelude::*;
use crate::rust::calls::is_call_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unbounded-channel",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A channel without a bound takes in whatever comes, however slowly it is read.",
    help: "Give it a bound, and decide what happens when it is full.",
    explanation: "Where the writer is faster than the reader, the queue between them grows until the process is \
        killed, and the answers are older with each message. A bound makes the writer wait or say that \
        it is too much. Where something else bounds what can come, a comment says what.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn jobs() -> (Sender, Receiver) {
    tokio::sync::mpsc::unbounded_channel()
}
",
        good: "pub fn jobs() -> (Sender, Receiver) {
    tokio::sync::mpsc::channel(256)
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_unbounded_channel);

const MAKERS: &[&str] = &[
    "mpsc::unbounded_channel",
    "mpsc::unbounded",
    "async_channel::unbounded",
    "crossbeam_channel::unbounded",
    "crossbeam::channel::unbounded",
    "flume::unbounded",
    "kanal::unbounded",
];

fn check_unbounded_channel<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let line =
        context.tree().source_text().get(node.end_byte()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let is_explained = line.contains("//") || !context.comment_above(node).is_empty();
    if is_call_of(context, node, MAKERS) && !is_explained && !context.is_aside(node) {
        out.push(context.report(&RULE, node, "nothing bounds what waits in this channel"));
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
            &["use tokio::sync::mpsc;
fn f() { let (a, b) = mpsc::unbounded_channel::<u8>(); g(a, b); }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "use tokio::sync::mpsc;
fn f() { let (a, b) = mpsc::channel::<u8>(1); g(a, b); }",
                "use tokio::sync::mpsc;
fn f() {
    // One message a connection.
    let (a, b) = mpsc::unbounded_channel::<u8>(); g(a, b);
}",
            ],
        );
    }
}
