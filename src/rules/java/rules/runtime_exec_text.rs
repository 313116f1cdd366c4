//! Commands put together from values.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, composed_parts, created_type, is_open_text, string_text};
use crate::java::scopes::{assigned_value, declared_type};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "runtime-exec-text",
    aliases: &["sonar:S2076", "findsecbugs:COMMAND_INJECTION"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value in the text of a command can become another command.",
    help: "Use `ProcessBuilder` with each argument by itself, and no shell.",
    explanation: "`Runtime.exec` splits a text at its spaces, and a shell does far more with one: a value in it \
        adds arguments or whole commands. Give `ProcessBuilder` the program and each argument as a text of its \
        own.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Archive {
    void pack(String name) throws java.io.IOException {
        Runtime.getRuntime().exec("tar czf backup.tgz " + name);
    }
}
"#,
        good: r#"class Archive {
    void pack(String name) throws java.io.IOException {
        new ProcessBuilder("tar", "czf", "backup.tgz", "--", name).start();
    }
}
"#,
    }],
    cwe: Some("CWE-78"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "object_creation_expression"], check_runtime_exec_text);

fn check_runtime_exec_text<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    let is_exec = called_method(context, node).is_some_and(|(receiver, name)| {
        name == "exec" && receiver.is_some_and(|it| context.text(it).ends_with("getRuntime()") || declared_type(context, it) == Some("Runtime"))
    });
    let arguments = arguments_of(node);
    let is_text = |argument: &Node<'c>| {
        let value = if argument.kind() == "identifier" { assigned_value(context, *argument).unwrap_or(*argument) } else { *argument };
        composed_parts(context, value).is_some_and(|parts| parts.iter().any(|part| is_open_text(context, *part)))
    };
    let is_open = is_exec && arguments.first().is_some_and(|first| is_text(first) || is_shell_line(context, &array_items(*first)))
        || created_type(context, node) == Some("ProcessBuilder") && is_shell_line(context, &arguments);
    if is_open {
        out.push(context.report(&RULE, node, "a value is part of the text of this command"));
    }
}

/// What stands in `new String[] { … }`.
fn array_items(node: Node<'_>) -> Vec<Node<'_>> {
    field(node, "value").map(|list| named_children(list).collect()).unwrap_or_default()
}

/// `sh -c` with a text that is put together.
fn is_shell_line<'c>(context: &JavaContext<'c>, items: &[Node<'c>]) -> bool {
    let is_shell = items.first().and_then(|first| string_text(context, *first)).is_some_and(|name| {
        matches!(name.rsplit('/').next(), Some("sh" | "bash" | "cmd" | "cmd.exe" | "powershell" | "zsh"))
    });
    let takes_line = items.get(1).and_then(|flag| string_text(context, *flag)).is_some_and(|flag| matches!(flag, "-c" | "/c" | "/C" | "-Command"));
    let parts = items.get(2).and_then(|line| composed_parts(context, *line));
    is_shell && takes_line && parts.is_some_and(|parts| parts.iter().any(|part| is_open_text(context, *part)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(String a) { new ProcessBuilder(\"sh\", \"-c\", \"ls \" + a).start(); }",
            "void f(String a) { Runtime.getRuntime().exec(new String[] {\"/bin/sh\", \"-c\", \"ls \" + a}); }",
            "void f(Runtime r, String a) { String c = \"ls \" + a; r.exec(c); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { Runtime.getRuntime().exec(\"ls -l\"); }",
            "void f(Pool p, String a) { p.exec(\"ls \" + a); }",
            "void f(String a) { new ProcessBuilder(\"ls\", a).start(); }",
            "void f(int n) { Runtime.getRuntime().exec(\"kill \" + n); }",
        ]);
    }
}
