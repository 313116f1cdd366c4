//! Locks that are held while others run.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method};
use crate::rust::scopes::is_in_async;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "lock-across-await",
    aliases: &["clippy:await_holding_lock", "clippy:await_holding_refcell_ref"],
    category: Category::Performance,
    severity: Severity::High,
    cost: 1500,
    blocking: false,
    summary: "A lock that is held over an `.await` keeps every other task waiting, and with one thread for \
        ever.",
    help: "End the guard before the `.await` (a block, or `drop`), or use the asynchronous lock of the \
        runtime.",
    explanation: "At an `.await` the task gives its thread back and keeps its lock. Another task on the same \
        thread that asks for it blocks the thread, and then nobody is left to wake the first one. Take \
        out what is needed and let the guard go first; where the lock has to be held, use the one of the \
        runtime (`tokio::sync::Mutex`).",
    examples: &[Example {
        path: "example.rs",
        bad: "pub async fn refresh(cache: &std::sync::Mutex<Cache>) {
    let mut entries = cache.lock().unwrap_or_else(PoisonError::into_inner);
    entries.set(fetch().await);
}
",
        good: "pub async fn refresh(cache: &std::sync::Mutex<Cache>) {
    let fetched = fetch().await;
    cache.lock().unwrap_or_else(PoisonError::into_inner).set(fetched);
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["let_declaration"], check_lock_across_await);

fn check_lock_across_await<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(pattern), Some(value)) = (field(node, "pattern"), field(node, "value")) else { return };
    if pattern.kind() != "identifier"
        || !is_guard(context, value)
        || !is_in_async(context, node)
        || context.is_test_code(node)
    {
        return;
    }
    let Some(block) = context.tree().parent_of(node) else { return };
    let name = context.text(pattern);
    let mut is_held = true;
    for at in context.tree().own_nodes_of(block).filter(|at| at.start_byte() >= node.end_byte()) {
        if ends_guard(context, at, name) {
            is_held = false;
        }
        if at.kind() == "await_expression" && is_held && !is_of_other_task(context, at, block) {
            out.push(context.report(&RULE, node, format!("`{name}` is held over an `.await`")));
            return;
        }
    }
}

/// True for a lock that is taken at once: that of a runtime is awaited.
fn is_guard<'c>(context: &RustContext<'c>, value: Node<'c>) -> bool {
    let mut at = value;
    let mut is_unwrapped = false;
    while let Some((receiver, name)) = called_method(context, at) {
        match name {
            "unwrap" | "expect" | "unwrap_or_else" => is_unwrapped = true,
            // `parking_lot` gives a guard without a result; there the name of its module tells.
            "lock" | "read" | "write" => {
                let is_plain = arguments_of(at).is_empty();
                return is_plain
                    && (is_unwrapped && (name == "lock" || context.imports_below("std::sync"))
                        || context.imports_below("parking_lot"));
            }
            _ => return false,
        }
        at = receiver;
    }
    false
}

/// True for `drop(guard)`, and for a call that the guard is given to.
fn ends_guard<'c>(context: &RustContext<'c>, node: Node<'c>, name: &str) -> bool {
    node.kind() == "call_expression" && arguments_of(node).iter().any(|argument| context.text(*argument) == name)
        || node.kind() == "let_declaration"
            && field(node, "pattern").is_some_and(|pattern| context.text(pattern) == name)
}

/// True for an `.await` in an `async` block that is run elsewhere.
fn is_of_other_task(context: &RustContext<'_>, node: Node<'_>, block: Node<'_>) -> bool {
    context.tree().ancestors_of(node).take_while(|at| at.id() != block.id()).any(|at| at.kind() == "async_block")
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
                "async fn f(a: &Mutex<u8>) { let b = a.lock().unwrap(); g().await; h(&b); }",
                "use parking_lot::RwLock;
async fn f(a: &RwLock<u8>) { let b = a.write(); g().await; h(&b); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "async fn f(a: &Mutex<u8>) { let b = a.lock().unwrap(); h(&b); drop(b); g().await; }",
                "async fn f(a: &Mutex<u8>) { { let b = a.lock().unwrap(); h(&b); } g().await; }",
                "async fn f(a: &tokio::sync::Mutex<u8>) { let b = a.lock().await; g().await; h(&b); }",
                "async fn f(a: &mut File) { let b = a.read(&mut buffer).unwrap(); g().await; }",
                "fn f(a: &Mutex<u8>) { let b = a.lock().unwrap(); spawn(async move { g().await }); }",
            ],
        );
    }
}
