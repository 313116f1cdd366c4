//! Files that everybody may change.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, string_text};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "world-writable-file",
    aliases: &["sonar:S2612", "findsecbugs:OVERLY_PERMISSIVE_FILE_PERMISSION"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Everybody on this machine may read or change this file.",
    help: "Give rights to the owner alone.",
    explanation: "Other users and other apps of the machine can read or replace what is written here. Give \
        rights to the owner: `setWritable(true)`, `rw-------`, `MODE_PRIVATE`.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Store {
    void open(java.io.File file) {
        file.setWritable(true, false);
    }
}
"#,
        good: r#"class Store {
    void open(java.io.File file) {
        file.setWritable(true, true);
    }
}
"#,
    }],
    cwe: Some("CWE-732"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "identifier"], check_world_writable_file);

fn check_world_writable_file<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_open = match node.kind() {
        "identifier" => matches!(context.text(node), "MODE_WORLD_READABLE" | "MODE_WORLD_WRITEABLE"),
        _ => called_method(context, node).is_some_and(|(_, name)| {
            let arguments = arguments_of(node);
            let texts: Vec<&str> = arguments.iter().map(|argument| context.text(*argument)).collect();
            match name {
                "setWritable" => texts == ["true", "false"],
                "fromString" => arguments.first().and_then(|first| string_text(context, *first)).is_some_and(is_open_mode),
                _ => false,
            }
        }),
    };
    if is_open && !context.is_test_file() {
        out.push(context.report(&RULE, node, "everybody on the machine may change this"));
    }
}

/// True for `rwxrwxrwx`: the last three letters are for everybody.
fn is_open_mode(mode: &str) -> bool {
    mode.len() == 9 && mode.bytes().all(|byte| matches!(byte, b'r' | b'w' | b'x' | b'-')) && mode.as_bytes().get(7) == Some(&b'w')
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f() { return PosixFilePermissions.fromString(\"rwxrwxrwx\"); }",
            "void f(Context c) { c.openFileOutput(\"a\", Context.MODE_WORLD_READABLE); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f() { return PosixFilePermissions.fromString(\"rwxr-x---\"); }",
            "void f(File f) { f.setWritable(true); }",
        ]);
    }
}
