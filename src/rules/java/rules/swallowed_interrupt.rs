//! Requests to stop that are lost.

use super::prelude::*;
use crate::java::handlers::{caught_types, passes_on};
use crate::java::scopes::leaves;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "swallowed-interrupt",
    aliases: &["sonar:S2142", "errorprone:InterruptedExceptionSwallowed"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "A thread that was asked to stop forgets it.",
    help: "Call `Thread.currentThread().interrupt()`, or throw the exception on.",
    explanation: "An `InterruptedException` asks the thread to stop, and catching it clears the request: nobody \
        further up will know. Set it again with `Thread.currentThread().interrupt()`, or let the exception pass.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Poller {
    void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            log.debug("woken", e);
        }
    }
}
"#,
        good: r#"class Poller {
    void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["catch_clause"], check_swallowed_interrupt);

fn check_swallowed_interrupt<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_interrupt = caught_types(context, node).contains(&"InterruptedException");
    let Some(body) = field(node, "body").filter(|_| is_interrupt && !context.is_test_file()) else { return };
    // Whoever leaves, stops; a request may also be remembered, and set again at the end of the method.
    let stops = named_children(body).last().is_some_and(|last| leaves(context, last) && last.kind() != "continue_statement");
    if !stops && !context.text_around(node).contains(".interrupt()") && !passes_on(context, node) {
        out.push(context.report(&RULE, node, "the request to stop is lost"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { try { g(); } catch (InterruptedException ignored) { } }",
            "void f() { for (;;) { try { g(); } catch (InterruptedException e) { continue; } } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { try { g(); } catch (InterruptedException e) { throw new X(e); } }",
            "void f() { for (;;) { try { g(); } catch (InterruptedException e) { return; } } }",
            "void f() { boolean asked = false; try { g(); } catch (InterruptedException e) { asked = true; } if (asked) { Thread.currentThread().interrupt(); } }",
            "void f() { try { g(); } catch (IOException e) { } }",
        ]);
    }
}
