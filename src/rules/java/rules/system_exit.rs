//! Libraries that end the program of their users.

use super::prelude::*;
use crate::java::calls::called_method;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "system-exit",
    aliases: &["pmd:DoNotTerminateVM", "spotbugs:DM_EXIT", "sonar:S1147"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A method of a library ends the whole program.",
    help: "Throw an exception.",
    explanation: "`System.exit` ends every thread of the program, a server with all its requests too, and no \
        caller can do anything about it. Throw an exception, and let `main` decide. Programs with a `main` and \
        tests are left alone.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Config {
    String value(String key) {
        if (!values.containsKey(key)) {
            System.exit(1);
        }
        return values.get(key);
    }
}
"#,
        good: r#"class Config {
    String value(String key) {
        if (!values.containsKey(key)) {
            throw new IllegalStateException("no value for " + key);
        }
        return values.get(key);
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_system_exit);

fn check_system_exit<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let ends = called_method(context, node).is_some_and(|(receiver, name)| match name {
        "exit" => receiver.is_some_and(|it| context.text(it) == "System"),
        "halt" => receiver.is_some_and(|it| context.text(it) == "Runtime.getRuntime()"),
        _ => false,
    });
    let class = context.type_around(node).and_then(|of| field(of, "name")).map_or("", |name| context.text(name));
    let is_program = ["Application", "Cli", "CLI", "Launcher", "Main"].iter().any(|end| class.ends_with(end));
    if ends && !is_program && !context.is_no_library() {
        out.push(context.report(&RULE, node, "this ends the program of whoever calls it"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { Runtime.getRuntime().halt(1); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "public static void main(String[] a) { System.exit(1); }",
            "void f() { activity.exit(1); }",
            "class Main { void f() { System.exit(2); } }",
        ]);
    }
}
