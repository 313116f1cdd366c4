//! Globals that several threads may change at once.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "static-mut",
    aliases: &["rustc:static_mut_refs"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1000,
    blocking: false,
    summary: "Two threads that use a `static mut` at once are undefined behaviour, and nothing keeps them from \
        it.",
    help: "Use an atomic, a `Mutex`, a `OnceLock` or a `thread_local!`.",
    explanation: "Every use of a `static mut` is `unsafe`, because the compiler cannot see who else holds a \
        reference to it: two threads, or a function that calls itself, are a data race. Atomics do for \
        numbers and flags, `Mutex` and `RwLock` for the rest, `OnceLock` and `LazyLock` for what is set \
        once. The edition of 2024 denies references to a `static mut`.",
    examples: &[Example {
        path: "example.rs",
        bad: "static mut COUNTER: u64 = 0;

pub fn next_number() -> u64 {
    // SAFETY: there is one thread.
    unsafe {
        COUNTER += 1;
        COUNTER
    }
}
",
        good: "use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(1);

pub fn next_number() -> u64 {
    COUNTER.fetch_add(1, Ordering::Relaxed)
}
",
    }],
    cwe: Some("CWE-362"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["static_item"], check_static_mut);

fn check_static_mut<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_mutable = children_of_kind(node, "mutable_specifier").next().is_some();
    // What C declares cannot be anything else, and one of each thread is not shared.
    let mut around = context.tree().ancestors_of(node);
    let is_foreign = around.any(|at| at.kind() == "foreign_mod_item")
        || context.attributes_of(node).any(|one| one.contains("thread_local"));
    if is_mutable && !is_foreign && !context.is_aside(node) {
        let name = field(node, "name").map_or("", |name| context.text(name));
        out.push(context.report(&RULE, node, format!("several threads may change `{name}` at once")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f() { static mut ONCE: bool = false; }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "static ONCE: AtomicBool = AtomicBool::new(false);",
                r#"extern "C" { static mut environ: *const *const u8; }"#,
                "#[cfg(test)]
mod tests { static mut ONCE: bool = false; }",
            ],
        );
    }
}
