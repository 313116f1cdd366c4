//! Failures that go to the console.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "printed-stack-trace",
    aliases: &["pmd:AvoidPrintStackTrace", "sonar:S1148", "sonar:S4507"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "A failure is printed to the console, where nobody looks for it.",
    help: "Log it with its context, or throw it on.",
    explanation: "`printStackTrace` writes to the standard error stream: without a time, a level or a word of \
        what was being done, and past the log that somebody reads. Log the exception with a sentence, or throw \
        it on. Programs with a `main` and tests may print.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Store {
    void save(Order order) {
        try {
            write(order);
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}
"#,
        good: r#"class Store {
    void save(Order order) {
        try {
            write(order);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot save " + order.id(), e);
        }
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_printed_stack_trace);

fn check_printed_stack_trace<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let prints = called_method(context, node).is_some_and(|(receiver, name)| name == "printStackTrace" && receiver.is_some());
    if prints && arguments_of(node).is_empty() && !context.is_no_library() {
        out.push(context.report(&RULE, node, "this goes to the console"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(Exception e) { e.getCause().printStackTrace(); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(Exception e) { e.printStackTrace(writer); }",
            "public static void main(String[] a) { e.printStackTrace(); }",
        ]);
    }
}
