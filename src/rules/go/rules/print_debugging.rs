//! Packages that write to the output of their users.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of, package_member, string_literal};
use crate::go::language::receiver_type;
use crate::go::scopes::function_name;
use crate::go::verbs::verbs_of_values;
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
        that the caller hands in. Programs, tests, functions whose name says that they print and files that \
        say several things to a person may. A function that returns nothing may say a sentence; an error, a value with \
        its label and the builtin `println` are named there as well.",
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
    "debug", "diagnose", "display", "dump", "example", "format", "help", "list", "log", "main", "output", "print", "report", "run", "show",
    "usage", "version", "warn", "write", "render", "prompt", "ask", "trace", "banner",
];

/// A file that says so much to a person is there to print, and so is all of it.
const PURPOSE: usize = 3;

fn check_print_debugging(context: &GoContext<'_>, out: &mut Vec<Finding>) {
    if context.is_beyond_advice() || is_for_terminals(context) {
        return;
    }
    let printed = context.tree().all_nodes().filter(|node| prints(context, *node));
    let (traces, said): (Vec<Node<'_>>, Vec<Node<'_>>) = printed.partition(|node| is_trace(context, *node));
    if said.len() >= PURPOSE {
        return;
    }
    let untold = said.into_iter().filter(|node| is_lost(context, *node));
    let mut told: Vec<Node<'_>> = traces.into_iter().chain(untold).collect();
    told.retain(|node| !is_switched_on(context, *node) && !is_meant(context, *node));
    told.sort_by_key(Node::start_byte);
    // What a function is there to print, no tree says.
    let say = |node| context.report(&RULE, node, "this goes to the output of whoever uses the package").doubted();
    out.extend(told.into_iter().map(say));
}

/// What is left of debugging prints by `fmt`, or says a word by the builtin function. Packages give functions of their own the
/// name of that one.
fn prints(context: &GoContext<'_>, node: Node<'_>) -> bool {
    is_builtin_print(context, node)
        || is_call_of(context, node, "fmt", &["Print", "Printf", "Println"]) && !arguments_of(node).is_empty()
}

/// True for what only whoever wrote the code reads: an error, a value with its type or its fields, a name with its value, and
/// what the builtin function says. It is told in functions that return nothing as well.
fn is_trace(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let arguments = arguments_of(node);
    let Some((first, values)) = arguments.split_first() else { return false };
    let text = string_literal(context, *first).unwrap_or_default();
    let is_error = |value: &Node<'_>| {
        let text = context.text(*value).trim_end_matches(".Error()");
        matches!(value.kind(), "identifier" | "call_expression") && (text == "err" || text.ends_with("Err"))
    };
    let shows_fields = verbs_of_values(text).is_some_and(|verbs| {
        verbs.iter().any(|verb| verb.ends_with('T') || verb.ends_with('v') && verb.starts_with(['+', '#']))
    });
    is_builtin_print(context, node)
        || arguments.iter().any(is_error)
        || shows_fields
        || (!values.is_empty() && label_of(text).is_some_and(|label| is_of_code(&label)))
}

/// Words of a label at most; more are a sentence.
const LABEL: usize = 3;

/// The name before a value: `prices` in `prices:`, `n` in `n = %d`, `HERE` in `HERE %d`.
fn label_of(text: &str) -> Option<String> {
    let text = text.replace("\\n", " ").replace("\\t", " ").replace("\\r", " ");
    let name = text.split(['%', ':', '=']).next().unwrap_or_default().trim();
    let is_label = !name.is_empty() && name.len() < text.trim().len() && name.split_whitespace().count() <= LABEL;
    (is_label && name.contains(char::is_alphabetic)).then(|| name.to_owned())
}

/// True for the name of a value in lower case, as in the code, and for a mark in capital letters. What is for a person begins as a
/// sentence does.
fn is_of_code(label: &str) -> bool {
    let letters = || label.chars().filter(|letter| letter.is_alphabetic());
    let begins_small = letters().next().is_some_and(char::is_lowercase);
    begins_small || letters().count() > 1 && letters().all(char::is_uppercase)
}

/// True in a function that has results, by which it could say the same. A sentence and several lines in one text are for a person.
fn is_lost(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(function) = context.function_around(node) else { return false };
    let arguments = arguments_of(node);
    let text = arguments.first().and_then(|first| string_literal(context, *first)).unwrap_or_default();
    let is_letter = text.trim_end_matches("\\n").contains("\\n");
    let is_labelled = arguments.len() > 1 && label_of(text).is_some() && text.contains([':', '=']);
    // Several values in a row are a line of what the function is there to say.
    let is_line = text.starts_with('%') && text.matches('%').count() > 1;
    let is_sentence = is_line || text.split_whitespace().count() > LABEL || text.starts_with(char::is_uppercase);
    field(function, "result").is_some() && !is_letter && (is_labelled || !is_sentence)
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
    "build", "cli", "cmd", "command", "commands", "console", "debug", "demo", "examples", "prompt", "script", "scripts", "terminal",
    "tools", "ui",
];
/// Packages that read the command line of a program, or a part of their path.
const COMMAND_LINES: &[&str] = &["/cli", "/cobra", "/go-flags", "/kingpin", "flag"];
/// What a file has that speaks with whoever sits before a terminal, or ends the program.
const TERMINALS: &[(&str, &str)] = &[
    ("fmt", "Scan"),
    ("fmt", "Scanf"),
    ("fmt", "Scanln"),
    ("os", "Exit"),
    ("os", "Stdin"),
    ("os", "Stdout"),
];

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
                "import \"fmt\"\nfunc f() { g(a); fmt.Println(\"a:\", a) }",
                "import \"fmt\"\nfunc f() int { g(a); fmt.Println(\"Order to send:\", a); return a }",
                "import \"fmt\"\nfunc f() { g(a); fmt.Printf(\"HERE %d\\n\", a) }",
                "import \"fmt\"\nfunc f() { g(a); fmt.Printf(\"%+v\\n\", a) }",
                "import \"fmt\"\nfunc f() { if err := g(); err != nil { fmt.Println(err) } }",
            ],
        );
    }

    #[test]
    fn traces_are_told_however_many_there_are() {
        let line = |name: &str| format!("func {name}() {{ g(); fmt.Println(\"{name}:\", a) }}\n");
        let text = format!("package a\nimport \"fmt\"\n{}", ["b", "c", "d", "e"].map(line).concat());
        assert_eq!(go_findings(&RULE, "a.go", &text).len(), 4);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "package main\nimport \"fmt\"\nfunc f() { fmt.Println(a) }",
                "import \"fmt\"\nfunc PrintAll() int { fmt.Println(a); return 1 }",
                "import \"fmt\"\nfunc FormatAsTable() error { fmt.Println(a); return nil }",
                "import \"fmt\"\nfunc f() int { if debug { fmt.Println(a) }; return 1 }",
                "import \"fmt\"\nfunc f() int { fmt.Println(a); fmt.Println(b); fmt.Println(c); return d }",
                "import \"fmt\"\nfunc f() { g(a); fmt.Printf(\"%v\", a) }",
                "import \"fmt\"\nfunc f() int { g(a); fmt.Println(\"Waiting for the disk to come back\"); return a }",
                "import \"fmt\"\nfunc f() int { g(a); fmt.Printf(\"%s:%d\\n\", a, b); return a }",
                "import \"fmt\"\nfunc f() int { g(a); fmt.Println(\"Configuring system...\"); return a }",
                "import \"fmt\"\nfunc f() string { fmt.Print(\"name: \"); fmt.Scanln(&a); return a }",
                "import \"fmt\"\nfunc f() { g(a); fmt.Printf(\"\\n=====\\n%s\", a) }",
                "import \"fmt\"\nfunc f() { g(a); fmt.Printf(\"Address: %s\\n\", a) }",
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
