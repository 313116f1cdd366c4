//! Deferred calls that pile up until a function ends.

use super::prelude::*;
use crate::go::scopes::{comment_beside, function_name};
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "defer-in-loop",
    aliases: &["revive:defer", "gocritic:deferInLoop"],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "A deferred call in a loop runs when the function ends, not when the turn does.",
    help: "Move the body of the loop into a function, so that each turn cleans up after itself.",
    explanation: "`defer` belongs to the function, not to the block. In a loop over a thousand files all of them \
        stay open until the function returns, and the limit of the system may come first. Give the body of \
        the loop a function of its own, or close without `defer`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package merge

import "os"

func Read(paths []string) error {
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		use(file)
	}
	return nil
}
"#,
        good: r#"package merge

import "os"

func Read(paths []string) error {
	for _, path := range paths {
		if err := readOne(path); err != nil {
			return err
		}
	}
	return nil
}

func readOne(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return use(file)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["defer_statement"], check_defer_in_loop);

fn check_defer_in_loop<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(around) = context.loop_around(node) else { return };
    // A test ends soon, and everything that it opened with it.
    let is_wanted = is_alone(context, around) || undoes(context, node) || removes(context, node) || is_kept(context, node) || comment_beside(node).is_some();
    if !context.holds_tests() && !is_wanted && !ends_function(context, node, around) {
        out.push(context.report(&RULE, node, "this runs when the function ends, once for each turn of the loop"));
    }
}

/// Over a list and with nothing else in it, a loop is there to have all of them run at the end.
fn is_alone(context: &GoContext<'_>, around: Node<'_>) -> bool {
    children_of_kind(around, "range_clause").next().is_some()
        && field(around, "body").is_some_and(|body| {
            let mut lists = context.tree().subtree_of(body).filter(|at| at.kind() == "statement_list");
            lists.all(|list| list.named_child_count() == 1)
        })
}

/// True for memory of C, which lives until the call that is handed all of it, and for what `main` opened: it ends with the program.
fn is_kept(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let function = named_children(node).next().and_then(|call| field(call, "function"));
    function.is_some_and(|function| context.text(function).starts_with("C."))
        || context.is_main_package() && function_name(context, node) == "main"
}

/// True for a removal: what is removed at the end is used until then, and holds neither a file nor a lock.
fn removes(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let function = named_children(node).next().and_then(|call| field(call, "function"));
    let name = function.map_or("", |function| context.text(function)).rsplit('.').next().unwrap_or_default();
    let words = split_identifier_words(name);
    words.iter().any(|word| matches!(word.as_str(), "cleanup" | "delete" | "remove" | "rm" | "unlink"))
}

/// True for a function that asks first how the one around it ended: what all turns did is undone then.
fn undoes(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let function = named_children(node).next().and_then(|call| field(call, "function"));
    let body = function.filter(|it| it.kind() == "func_literal").and_then(|it| field(it, "body"));
    let first = body
        .and_then(|body| children_of_kind(body, "statement_list").next())
        .and_then(|list| named_children(list).next());
    let condition = first.filter(|it| it.kind() == "if_statement").and_then(|it| field(it, "condition"));
    condition.is_some_and(|condition| {
        let words = context.text(condition).split(|c: char| !c.is_alphanumeric() && c != '_');
        words.into_iter().any(|word| word.to_ascii_lowercase().ends_with("err"))
    })
}

/// True where the statements around, or those around them in the loop, end with `return`, or with a `break` that ends the
/// loop: there is no further turn.
fn ends_function(context: &GoContext<'_>, node: Node<'_>, around: Node<'_>) -> bool {
    let mentions = context.mentions();
    let inside: Vec<Node<'_>> =
        context.tree().ancestors_of(node).take_while(|at| at.id() != around.id()).collect();
    // A `break` in a case ends the switch.
    let outside_of_cases = inside.iter().rev().take_while(|at| !at.kind().ends_with("_case"));
    inside.iter().any(|at| mentions.returning.contains(&at.id()))
        || outside_of_cases.into_iter().any(|at| mentions.breaking.contains(&at.id()))
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
                "func f() { for { defer g() } }",
                "func f() { for { switch a() { case 1: if b { defer g() }; break } } }",
                "func f() { for _, a := range b { if a { h(); defer g(a) } } }",
                "func f() { for _, a := range b { b := open(a); defer func() { _ = b.Close() }(); h(b) } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f() { defer g() }",
                "func f() { for { func() { defer g() }() } }",
                "func f() { for { if a() { defer g(); return } } }",
                "func f(a []string) { for _, b := range a { c := C.CString(b); defer C.free(c); d = add(d, c) }; C.use(d) }",
                "func f() { for { a := g(); defer a.Stop() // There are few.\n h(a) } }",
                "package main\nfunc main() { for _, b := range a { c := open(b); defer c.Close() } }",
                "func f() { for { if a() { defer g() }; h(); return } }",
                "func f() { for { if a() { defer g(); break } } }",
                "func f(a []A) (err error) { for _, b := range a { h(b); defer func() { if err != nil { b.Undo() } }() } }",
                "func f(a []string) { for _, b := range a { c := make(b); defer os.Remove(c); g(c) } }",
                "func f(all []io.Closer) { for _, one := range all { defer one.Close() } }",
            ],
        );
    }
}
