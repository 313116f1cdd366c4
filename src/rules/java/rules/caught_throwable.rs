//! Handlers that take everything in.

use super::prelude::*;
use crate::java::handlers::{caught_types, passes_on};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "caught-throwable",
    aliases: &["pmd:AvoidCatchingThrowable", "sonar:S1181", "checkstyle:IllegalCatch"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "`Throwable` is caught and kept, with errors after which nothing can go on.",
    help: "Catch `Exception`, or the exceptions that are expected here.",
    explanation: "`Throwable` includes `OutOfMemoryError`, `StackOverflowError` and the death of a thread: after \
        these the program is in no state to go on. Catch what you can handle. A clause that throws, or hands \
        what it caught to somebody, is left alone.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Worker {
    void run(Job job) {
        try {
            job.run();
        } catch (Throwable e) {
            log.warn("failed", e);
        }
    }
}
"#,
        good: r#"class Worker {
    void run(Job job) {
        try {
            job.run();
        } catch (RuntimeException e) {
            log.warn("failed", e);
        }
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["catch_clause"], check_caught_throwable);

fn check_caught_throwable<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_all = caught_types(context, node).iter().any(|of| matches!(*of, "Throwable" | "Error" | "java.lang.Throwable"));
    // An empty one is told as such.
    let is_empty = field(node, "body").is_none_or(|body| named_children(body).next().is_none());
    if is_all && !is_empty && !context.is_test_file() && !passes_on(context, node) {
        out.push(context.report(&RULE, node, "errors that nothing can go on from are kept here"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { try { g(); } catch (Error e) { h(); } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { try { g(); } catch (Throwable e) { throw new X(e); } }",
            "void f() { try { g(); } catch (Throwable e) { future.fail(e); } }",
            "void f() { try { g(); } catch (Exception e) { h(); } }",
        ]);
    }
}
