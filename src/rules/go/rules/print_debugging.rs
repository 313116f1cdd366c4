//! Packages that write to the output of their users.

use super::prelude::*;
use crate::go::calls::is_call_of;
use crate::go::scopes::function_name;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "print-debugging",
    aliases: &["forbidigo:print"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 150,
    blocking: false,
    summary: "A package that prints mixes its words with the output of the program that uses it.",
    help: "Remove what is left of debugging, or hand the words to a logger that the caller chooses.",
    explanation: "The output belongs to the program: others read it, often another program. What a package prints \
        there stands between, and nobody can switch it off. Remove it, return it, or give it to a logger \
        that the caller hands in. Programs, tests and functions whose name says that they print may.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package price

import "fmt"

func Total(prices []int) int {
	fmt.Println("prices:", prices)
	return sum(prices)
}
"#,
        good: r#"package price

func Total(prices []int) int {
	return sum(prices)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_print_debugging);

/// Words of functions that are there to print.
const PRINTING: &[&str] = &[
    "debug", "display", "dump", "example", "help", "list", "log", "main", "output", "print", "report", "run", "show",
    "usage", "version", "warn", "write", "render", "prompt", "ask", "trace", "banner",
];

fn check_print_debugging<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_main_package()
        || context.is_test_file()
        || context.imports_any(&["flag", "github.com/spf13/cobra"])
    {
        return;
    }
    if !prints(context, node) {
        return;
    }
    if is_switched_on(context, node) || is_for_terminals(context) {
        return;
    }
    let words = split_identifier_words(function_name(context, node));
    let is_about_printing = |word: &String| PRINTING.iter().any(|known| word.starts_with(known));
    if !words.iter().any(is_about_printing) && context.function_around(node).is_some() {
        out.push(context.report(&RULE, node, "this goes to the output of whoever uses the package"));
    }
}

fn prints(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let is_builtin = node.kind() == "call_expression"
        && field(node, "function").is_some_and(|it| matches!(context.text(it), "println" | "print"));
    is_builtin || is_call_of(context, node, "fmt", &["Print", "Printf", "Println"])
}

/// A file that prints so often was not left with a trace of debugging: it is there to print.
const PURPOSE: usize = 4;
/// Folders and files of programs and of what they show.
const PROGRAMS: &[&str] = &["cli", "cmd", "console", "examples", "prompt", "terminal", "ui"];

fn is_for_terminals(context: &GoContext<'_>) -> bool {
    let mut parts = context.path().trim_end_matches(".go").split(['/', '_']);
    let printed = context.tree().all_nodes().filter(|node| prints(context, *node));
    parts.any(|part| PROGRAMS.contains(&part)) || printed.take(PURPOSE).count() == PURPOSE
}

/// True for what is printed only where somebody asked for it, or never: `if debug {`, `if false {`.
fn is_switched_on(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let mut conditions = context.tree().ancestors_of(node).filter_map(|at| field(at, "condition"));
    conditions.any(|condition| {
        let words = split_identifier_words(context.text(condition));
        words.iter().any(|word| ["debug", "debugging", "false", "trace", "verbose"].contains(&word.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found, go_findings};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["func f() { println(\"here\") }", "import \"fmt\"\nfunc f() { fmt.Printf(\"%v\", a) }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "package main\nimport \"fmt\"\nfunc f() { fmt.Println(a) }",
                "import \"fmt\"\nfunc PrintAll() { fmt.Println(a) }",
                "import \"fmt\"\nfunc f() { if debug { fmt.Println(a) } }",
                "import \"fmt\"\nfunc f() { fmt.Println(a); fmt.Println(b); fmt.Println(c); fmt.Println(d) }",
                "import \"fmt\"\nfunc f() { fmt.Fprintln(w, a) }",
            ],
        );
        let text = "package a\nimport \"fmt\"\nfunc f() { fmt.Println(a) }";
        assert_eq!(go_findings(&RULE, "cmd/tool/list.go", text), []);
        assert_eq!(go_findings(&RULE, "store/list.go", text).len(), 1);
    }
}
