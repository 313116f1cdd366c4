//! Regular expressions compiled anew with each call.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of, string_literal};
use crate::go::once::runs_once;
use crate::go::scopes::{function_name, local_declaration};
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compile-in-function",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A constant regular expression is compiled each time the function runs.",
    help: "Compile it once, into a variable of the package.",
    explanation: "Compiling a regular expression costs far more than matching with it, and a constant one is the \
        same every time. Told where it is used in the function that compiles it and gone with it. `var pattern = regexp.MustCompile(...)` at the top of the package does it once, \
        and fails at the start when the pattern is wrong. Told in loops, where the cost is doubled, and in functions without a context that are \
        handed a text or answer yes or no.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package names

import "regexp"

func IsSlug(text string) bool {
	return regexp.MustCompile("^[a-z0-9-]+$").MatchString(text)
}
"#,
        good: r#"package names

import "regexp"

var slug = regexp.MustCompile("^[a-z0-9-]+$")

func IsSlug(text string) bool {
	return slug.MatchString(text)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_compile_in_function);

const COMPILE: &[&str] = &["Compile", "CompilePOSIX", "MustCompile", "MustCompilePOSIX"];

fn check_compile_in_function<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "regexp", COMPILE) || context.is_beyond_advice() || context.is_development_tool() {
        return;
    }
    let is_constant = arguments_of(node).first().is_some_and(|pattern| string_literal(context, *pattern).is_some());
    let Some(function) = context.outermost_function(node).filter(|_| is_constant) else { return };
    if runs_once(context, function) || is_made_once(context, node) || is_kept(context, node) {
        return;
    }
    let is_repeated = context.loop_around(node).is_some();
    if !is_repeated && !looks_at_text(context, function) {
        return;
    }
    let times = if is_repeated { 2 } else { 1 };
    let finding = context.report(&RULE, node, "this expression is compiled at every call").costing(RULE.cost * times);
    // How often the function is called, its callers show.
    out.push(finding.doubted_if(!is_repeated));
}

/// Calls that start a process and wait for it.
const PROCESSES: &[&str] = &[".CombinedOutput(", ".Output()", "cmd.Run("];

/// True for a function that looks at a text that it is handed, or answers yes or no, and waits for nothing: it is called as often as
/// there are texts. What asks another machine, or is done once, has worse to wait for.
fn looks_at_text(context: &GoContext<'_>, function: Node<'_>) -> bool {
    let declarations = field(function, "parameters").into_iter().flat_map(named_children);
    let types: Vec<&str> = declarations.filter_map(|one| field(one, "type")).map(|of| context.text(of)).collect();
    let answers = field(function, "result").is_some_and(|result| context.text(result) == "bool");
    let waits = types.contains(&"context.Context") || PROCESSES.iter().any(|it| context.text(function).contains(it));
    !waits && (answers || types.iter().any(|of| matches!(*of, "string" | "[]byte")))
}

/// Inside a function that is handed to `sync.Once` and its kin, or that is the value of a package's variable.
fn is_made_once(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let calls = context.tree().ancestors_of(node).filter(|at| at.kind() == "call_expression");
    let mut callees = calls.filter_map(|call| field(call, "function"));
    let named = callees.any(|callee| context.text(callee).contains("Once") || context.text(callee).ends_with(".Do"));
    named || context.outermost_function(node).is_some_and(|function| function.kind() == "func_literal")
}

/// First words of functions that make what matches later, or set it up.
const MAKERS: &[&str] = &["build", "configure", "create", "init", "initialize", "make", "new", "provision", "register", "setup"];

/// True where the expression outlives the call: in a field, a variable of the package or a list, with whoever it is handed or returned
/// to, and in what a function makes that says so by its name.
fn is_kept(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let words = split_identifier_words(function_name(context, node));
    if words.first().is_some_and(|first| MAKERS.contains(&first.as_str())) {
        return true;
    }
    let Some(parent) = context.tree().parent_of(node) else { return false };
    match parent.kind() {
        "argument_list" | "keyed_element" | "literal_element" | "literal_value" => true,
        "expression_list" => context.tree().parent_of(parent).is_some_and(|statement| match statement.kind() {
            "return_statement" => true,
            "assignment_statement" => {
                let target = field(statement, "left").and_then(|left| named_children(left).next());
                target.is_some_and(|target| target.kind() != "identifier" || local_declaration(context, target).is_none())
            }
            _ => false,
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"regexp\"\nfunc f(s string) bool { for { p, _ := regexp.Compile(`a+`); p.MatchString(s) } }",
                "import \"regexp\"\nfunc f(s string) bool { var p *regexp.Regexp; p = regexp.MustCompile(`a+`); return p.MatchString(s) }",
                "package main\nimport \"regexp\"\nfunc main() { for { f(a) } }\nfunc f(s string) bool { return regexp.MustCompile(`a+`).MatchString(s) }",
                "package main\nimport \"regexp\"\nfunc main() { handle(f) }\nfunc f(s string) bool { return regexp.MustCompile(`a+`).MatchString(s) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"regexp\"\nvar p = regexp.MustCompile(\"a\")\nfunc f(s string) { regexp.MustCompile(s) }",
                "import \"regexp\"\nfunc f(pool string) bool { out, err := ask(pool).Output(); return regexp.MustCompile(\"a+\").Match(out) }",
                "import \"regexp\"\nfunc main() { regexp.MustCompile(\"a\") }",
                "import \"regexp\"\nfunc (m *M) version() (string, error) { return find(regexp.MustCompile(`a+`), m.ask()) }",
                "import \"regexp\"\nfunc (m *M) version() (string, error) { p := regexp.MustCompile(`a+`); return p.FindString(m.ask()), nil }",
                "import \"regexp\"\nfunc login(ctx context.Context, user string) error { p := regexp.MustCompile(`a+`); return ask(ctx, p.FindString(user)) }",
                "package main\nimport \"regexp\"\nfunc main() { g() }\nfunc g() { f(a) }\nfunc f(s string) bool { return regexp.MustCompile(`a+`).MatchString(s) }",
                "import \"regexp\"\nfunc NewMatcher() *M { p := regexp.MustCompile(`a+`); return &M{p} }",
                "import \"regexp\"\nfunc (m *M) Start() { m.names = regexp.MustCompile(`a+`) }",
                "import \"regexp\"\nfunc f() *regexp.Regexp { return regexp.MustCompile(`a+`) }",
                "import \"regexp\"\nvar names *regexp.Regexp\nfunc f() { names = regexp.MustCompile(`a+`) }",
                "import \"regexp\"\nfunc f(m *M) { m.Add(regexp.MustCompile(`a+`), g) }",
                "import \"regexp\"\nfunc f() { once.Do(func() { p = regexp.MustCompile(\"a\") }) }",
            ],
        );
    }
}
