//! Output that nobody asked for.

use super::prelude::*;
use crate::java::calls::called_method;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "console-output",
    aliases: &["pmd:SystemPrintln", "sonar:S106"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 150,
    blocking: false,
    summary: "A library prints to the console.",
    help: "Use a logger.",
    explanation: "What a library prints goes into the output of every program that uses it, and cannot be turned \
        off. Write to a log. Programs with a `main`, tests, examples and classes for command lines may print.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Rates {
    double rate(String currency) {
        System.out.println("asking for " + currency);
        return table.get(currency);
    }
}
"#,
        good: r#"class Rates {
    double rate(String currency) {
        log.debug("asking for {}", currency);
        return table.get(currency);
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_console_output);

/// Ends of names of classes whose work is to print.
const PRINTERS: &[&str] = &["Cli", "CLI", "Command", "Console", "Demo", "Example", "Main", "Printer", "Tool", "Usage", "Benchmark"];

fn check_console_output<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let prints = called_method(context, node).is_some_and(|(receiver, name)| {
        matches!(name, "print" | "println" | "printf" | "format")
            && receiver.is_some_and(|it| matches!(context.text(it), "System.out" | "System.err"))
    });
    if !prints || context.is_no_library() {
        return;
    }
    let class = context.type_around(node).and_then(|of| field(of, "name")).map_or("", |name| context.text(name));
    if !PRINTERS.iter().any(|end| class.ends_with(end)) {
        out.push(context.report(&RULE, node, "a library prints here"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { System.err.printf(\"%d\", a); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { out.println(a); }",
            "class RunCli { void f() { System.out.println(a); } }",
            "static void main(String... a) { System.out.println(a); }",
        ]);
    }
}
