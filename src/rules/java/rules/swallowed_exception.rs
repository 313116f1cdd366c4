//! Handlers that do nothing.

use super::prelude::*;
use crate::java::handlers::{caught_name, caught_types};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "swallowed-exception",
    aliases: &["pmd:EmptyCatchBlock", "sonar:S108", "checkstyle:EmptyCatchBlock"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "An exception is caught, and nothing is done about it.",
    help: "Handle it, throw it on, or write down in the block why it does not matter.",
    explanation: "What went wrong is gone without a trace, and the program goes on as if it had worked. Handle \
        the exception, or throw it on with its cause. Where it truly does not matter, a comment in the block or \
        a name such as `ignored` says so.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Config {
    int port(String text) {
        int port = 80;
        try {
            port = Integer.parseInt(text);
        } catch (NumberFormatException e) {
        }
        return port;
    }
}
"#,
        good: r#"class Config {
    int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a port: " + text, e);
        }
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["catch_clause"], check_swallowed_exception);

fn check_swallowed_exception<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(body) = field(node, "body") else { return };
    let name = caught_name(context, node).to_ascii_lowercase();
    let is_meant = name.starts_with("ignore") || name.starts_with("expected") || matches!(name.as_str(), "unused" | "_" | "ok");
    // An interrupt that is swallowed is told by its own rule.
    let types = caught_types(context, node);
    let is_interrupt = types.as_slice() == ["InterruptedException"];
    // A comment says why.
    let is_empty = body.named_child_count() == 0;
    if is_empty && !is_meant && !is_interrupt && !context.is_test_file() {
        out.push(context.report(&RULE, node, format!("`{}` is caught and forgotten", types.join(" | "))));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { try { g(); } catch (IOException | RuntimeException e) { } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { try { g(); } catch (IOException ignored) { } }",
            "void f() { try { g(); } catch (IOException e) { /* the file is optional */ } }",
            "void f() { try { g(); } catch (InterruptedException e) { } }",
            "void f() { try { g(); } catch (IOException e) { h(); } }",
        ]);
    }
}
