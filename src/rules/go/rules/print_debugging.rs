//! Packages that write to the output of their users.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of, package_member, string_literal};
use crate::go::language::receiver_type;
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
        that the caller hands in. Programs, tests and functions whose name says that they print may, and so \
        may one that returns nothing: what it has to say it says there.",
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

pub(super) const RUN: GoRunner = GoRunner::File(check_print_debugging);

/// Words of functions that are there to print.
const PRINTING: &[&str] = &[
    "debug", "display", "dump", "example", "help", "list", "log", "main", "output", "print", "report", "run", "show",
    "usage", "version", "warn", "write", "render", "prompt", "ask", "trace", "banner",
];

/// A file that prints so often was not left with a trace of debugging: it is there to print.
const PURPOSE: usize = 3;

fn check_print_debugging(context: &GoContext<'_>, out: &mut Vec<Finding>) {
    if context.is_beyond_advice() || is_for_terminals(context) {
        return;
    }
    let printed: Vec<Node<'_>> = context.tree().all_nodes().filter(|node| prints(context, *node)).collect();
    if printed.len() >= PURPOSE {
        return;
    }
    for node in printed {
        if !is_switched_on(context, node) && !is_meant(context, node) && has_other_way(context, node) {
            out.push(context.report(&RULE, node, "this goes to the output of whoever uses the package"));
        }
    }
}

/// What is left of debugging prints by `fmt`, or says a word by the builtin function. Packages give functions of their own the
/// name of that one.
fn prints(context: &GoContext<'_>, node: Node<'_>) -> bool {
    is_builtin_print(context, node) || is_call_of(context, node, "fmt", &["Print", "Printf", "Println"])
}

/// True in a function that has results, by which it could say the same, and for the builtin function, which is no way to say
/// anything. Several lines in one text are for a person.
fn has_other_way(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(function) = context.function_around(node) else { return false };
    let text = arguments_of(node).first().and_then(|first| string_literal(context, *first)).unwrap_or_default();
    let is_letter = text.trim_end_matches("\\n").contains("\\n");
    is_builtin_print(context, node) || field(function, "result").is_some() && !is_letter
}

fn is_builtin_print(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let is_named = node.kind() == "call_expression"
        && field(node, "function").is_some_and(|it| matches!(context.text(it), "println" | "print"));
    let says_a_word = || arguments_of(node).first().is_some_and(|first| string_literal(context, *first).is_some());
    let is_case = |at: Node<'_>| matches!(at.kind(), "if_statement" | "expression_case" | "default_case" | "type_case");
    let is_asked = || context.tree().ancestors_of(node).any(is_case);
    is_named && says_a_word() && !is_asked()
}

/// Folders and files of programs and of what they show.
const PROGRAMS: &[&str] = &[
    "cli", "cmd", "command", "commands", "console", "debug", "demo", "examples", "prompt",
    "terminal", "tools", "ui",
];
/// Packages that read the command line of a program, or a part of their path.
const COMMAND_LINES: &[&str] = &["/cli", "/cobra", "/go-flags", "/kingpin", "flag"];
/// What a file has that speaks with whoever sits before a terminal, or ends the program.
const TERMINALS: &[(&str, &str)] = &[("os", "Exit"), ("os", "Stdin"), ("os", "Stdout")];

/// True for files that are there to print: of programs, with a command line, and those that speak with a person.
fn is_for_terminals(context: &GoContext<'_>) -> bool {
    let mut parts = context.path().trim_end_matches(".go").split(['/', '_']);
    let speaks = |node: Node<'_>| package_member(context, node).is_some_and(|member| TERMINALS.contains(&member));
    context.is_main_package()
        || context.imports_like(|path| COMMAND_LINES.iter().any(|end| path.contains(end)))
        || parts.any(|part| PROGRAMS.contains(&part) || part.starts_with("fuzz"))
        || context.tree().all_nodes().any(speaks)
}

/// True where a function is there to print: by its name or its type, as it does nothing else, or as a comment says so.
fn is_meant(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(function) = context.outermost_function(node) else { return false };
    let holder = receiver_type(context.tree(), function).unwrap_or_default();
    let words = [function_name(context, node), holder].into_iter().flat_map(split_identifier_words);
    let is_about_printing = |word: String| PRINTING.iter().any(|known| word.starts_with(known));
    let around = context.function_around(node).and_then(|around| field(around, "body"));
    let statements = around.and_then(|body| children_of_kind(body, "statement_list").next());
    let said = context.comment_above(node).to_ascii_lowercase();
    words.into_iter().any(is_about_printing)
        || statements.is_some_and(|list| named_children(list).take(2).count() == 1)
            && context.tree().parent_of(node).and_then(|at| context.tree().parent_of(at)).map(|at| at.id())
                == statements.map(|list| list.id())
            && !is_builtin_print(context, node)
        || ["output", "print", "stdout"].iter().any(|word| said.contains(word))
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
        assert_found(
            &RULE,
            &[
                "func f() { println(\"here\") }",
                "import \"fmt\"\nfunc f() int { g(a); fmt.Printf(\"%v\\n\", a); return a }",
                "import \"fmt\"\nfunc f() error { if a { fmt.Println(a); return b }; return nil }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "package main\nimport \"fmt\"\nfunc f() { fmt.Println(a) }",
                "import \"fmt\"\nfunc PrintAll() int { fmt.Println(a); return 1 }",
                "import \"fmt\"\nfunc f() int { if debug { fmt.Println(a) }; return 1 }",
                "import \"fmt\"\nfunc f() int { fmt.Println(a); fmt.Println(b); fmt.Println(c); return d }",
                "import \"fmt\"\nfunc f() { g(a); fmt.Printf(\"%v\", a) }",
                "import \"fmt\"\nfunc f() int { g(a); fmt.Printf(\"Put this in:\\n%s\\n\", a); return a }",
                "import \"fmt\"\nfunc f() { fmt.Fprintln(w, a) }",
                "func f() { if a { println(\"not read\") } }",
                "func f() { print(g.logger, c) }",
                "import \"fmt\"\nfunc emit(a string) { fmt.Printf(a) }",
                "import \"fmt\"\nfunc (d *debugger) next() int { g(); fmt.Print(d); return 1 }",
                "import \"fmt\"\nfunc f() int {\ng()\n// The parent reads this from the output.\nfmt.Println(a)\nreturn 1\n}",
                "import (\n\"fmt\"\n\"os\"\n)\nfunc f() int { g(); fmt.Println(a); return h(os.Stdin) }",
            ],
        );
        let text = "package a\nimport \"fmt\"\nfunc f() int { fmt.Println(a); return 1 }";
        assert_eq!(go_findings(&RULE, "cmd/tool/list.go", text), []);
        assert_eq!(go_findings(&RULE, "store/fuzzer.go", text), []);
        assert_eq!(go_findings(&RULE, "store/testdata/list.go", text), []);
        assert_eq!(go_findings(&RULE, "store/list.go", text).len(), 1);
    }
}
