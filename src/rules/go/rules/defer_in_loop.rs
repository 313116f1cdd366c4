//! Deferred calls that pile up until a function ends.

use super::prelude::*;
use crate::go::calls::arguments_of;
use crate::go::scopes::{comment_beside, function_name, local_declaration, names_on_left};
use crate::words::{names_in, split_identifier_words};

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
    let is_wanted = is_alone(context, around)
        || undoes(context, node)
        || ends_what_lasts(context, node)
        || is_kept(context, node)
        || is_collected(context, node, around)
        || is_of_outside(context, node, around)
        || is_ended_in_turn(context, node, around)
        || is_made_once(context, node)
        || is_held_where_given(context, node)
        || context.comment_above(node).to_ascii_lowercase().contains("defer")
        || comment_beside(node).is_some();
    if !context.holds_tests() && !is_wanted && !ends_function(context, node, around) {
        let said = "this runs when the function ends, once for each turn of the loop";
        // How many turns there are, the text seldom says.
        out.push(context.report(&RULE, node, said).doubted());
    }
}

/// `if release != nil { defer release() }`: what a turn was given is held until all have theirs.
fn is_held_where_given(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let ended = named_children(node).next().and_then(|call| field(call, "function")).filter(|it| it.kind() == "identifier");
    let branch = context.tree().ancestors_of(node).take(3).find(|at| at.kind() == "if_statement");
    let asked = branch.and_then(|branch| field(branch, "condition")).map_or("", |condition| context.text(condition));
    ended.is_some_and(|name| asked.strip_suffix(" != nil") == Some(context.text(name)))
}

/// Over a list and with nothing else in it, a loop is there to have all of them run at the end.
fn is_alone(context: &GoContext<'_>, around: Node<'_>) -> bool {
    children_of_kind(around, "range_clause").next().is_some()
        && field(around, "body").is_some_and(|body| {
            let mut lists = context.tree().subtree_of(body).filter(|at| at.kind() == "statement_list");
            lists.all(|list| list.named_child_count() == 1)
        })
}

/// True for memory of C, which lives until the call that is handed all of it, for a channel, whose readers go on until it is closed,
/// and for what `main` opened: it ends with the program.
fn is_kept(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let function = named_children(node).next().and_then(|call| field(call, "function"));
    function.is_some_and(|function| context.text(function).starts_with("C.") || context.text(function) == "close")
        || context.is_main_package() && function_name(context, node) == "main"
}

/// True for a removal and for a lock that is let go: what is removed at the end is used until then, and locks that are taken one by one
/// are held together.
fn ends_what_lasts(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let function = named_children(node).next().and_then(|call| field(call, "function"));
    let name = function.map_or("", |function| context.text(function)).rsplit('.').next().unwrap_or_default();
    let words = split_identifier_words(name);
    let known = ["cleanup", "delete", "locker", "remove", "rm", "runlock", "unlink", "unlock", "unlocker"];
    words.iter().any(|word| known.contains(&word.as_str()))
}

/// The names that a deferred call ends: its receiver, its arguments, or, of a function that is a value, the function itself; and those that
/// got their value in the same statement, as in `snapshot, release := view.Snapshot()`.
fn ended_names<'c>(context: &GoContext<'c>, node: Node<'c>) -> Vec<&'c str> {
    let Some(call) = named_children(node).next() else { return Vec::new() };
    let mut names: Vec<&str> =
        context.tree().subtree_of(call).filter(|at| at.kind() == "identifier").map(|name| context.text(name)).collect();
    let ends = field(call, "function").filter(|function| function.kind() == "identifier");
    let made_with = ends.and_then(|function| local_declaration(context, function));
    names.extend(made_with.into_iter().flat_map(|statement| names_on_left(context, statement)));
    names
}

/// True where the turn puts what it opened, or what wraps that, into something that outlives it: all of it is used later.
fn is_collected<'c>(context: &GoContext<'c>, node: Node<'c>, around: Node<'c>) -> bool {
    let Some(body) = field(around, "body") else { return false };
    let mut ended = ended_names(context, node);
    ended.retain(|name| !matches!(*name, "_" | "err" | "ctx"));
    let assignments = context.tree().own_nodes_of(body).filter(|at| {
        matches!(at.kind(), "assignment_statement" | "short_var_declaration")
    });
    for statement in assignments {
        let value = field(statement, "right").and_then(|right| named_children(right).next());
        let target = field(statement, "left").and_then(|left| named_children(left).next());
        let (Some(value), Some(target)) = (value.filter(|value| holds_any(context, *value, &ended)), target) else { continue };
        let is_list = field(value, "function").is_some_and(|function| context.text(function) == "append");
        if is_list || matches!(target.kind(), "index_expression" | "selector_expression") {
            return true;
        }
        // `writer := newWriter(file)`, which may be collected in its turn.
        if target.kind() == "identifier" && value.kind() == "call_expression" {
            ended.push(context.text(target));
        }
    }
    false
}

/// Beginnings of functions whose result keeps what they are given.
const WRAPPING: &[&str] = &["append", "new", "with", "wrap"];

/// True for one of some names, for a part of one, and for what a function wraps around it.
fn holds_any<'c>(context: &GoContext<'c>, value: Node<'c>, names: &[&str]) -> bool {
    let mut open = vec![value];
    while let Some(at) = open.pop() {
        match at.kind() {
            "identifier" if names.contains(&context.text(at)) => return true,
            "call_expression" => {
                let callee = field(at, "function").map_or("", |function| context.text(function));
                let name = callee.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
                if WRAPPING.iter().any(|beginning| name.starts_with(beginning)) {
                    open.extend(arguments_of(at));
                }
            }
            // What a field or a method of it says is something else.
            "selector_expression" => {}
            _ => open.extend(named_children(at)),
        }
    }
    false
}

/// True for a method of something that the turn did not make, be it the variable of the loop or what stands outside of it: nothing is
/// opened here that would pile up.
fn is_of_outside<'c>(context: &GoContext<'c>, node: Node<'c>, around: Node<'c>) -> bool {
    let function = named_children(node).next().and_then(|call| field(call, "function"));
    let mut at = function.filter(|function| function.kind() == "selector_expression");
    while let Some(inner) = at.and_then(|at| field(at, "operand")) {
        at = Some(inner);
    }
    let Some(root) = at.filter(|root| root.kind() == "identifier" && context.imported_path(*root).is_none()) else {
        return false;
    };
    let body = field(around, "body").map_or(around.end_byte(), |body| body.start_byte());
    local_declaration(context, root).is_some_and(|declared| declared.start_byte() < body)
        && !is_set_within(context, context.text(root), around)
}

/// `if pool == nil { pool = open(); defer pool.Close() }`: only the first turn makes it.
fn is_made_once(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(list) = context.tree().parent_of(node) else { return false };
    let branch = context.tree().ancestors_of(node).find(|at| at.kind() == "if_statement");
    let asked = branch.and_then(|branch| field(branch, "condition")).map_or("", |condition| context.text(condition));
    let made = asked.strip_suffix(" == nil");
    let mut before = named_children(list).take_while(|statement| statement.start_byte() < node.start_byte());
    made.is_some_and(|name| before.any(|at| names_on_left(context, at).any(|left| left == name)))
}

/// True where the turn ends it as well, so that the deferred call is there for the ways out of it.
fn is_ended_in_turn(context: &GoContext<'_>, node: Node<'_>, around: Node<'_>) -> bool {
    let Some(ending) = named_children(node).next().filter(|call| field(*call, "function").is_some_and(|it| it.kind() != "func_literal"))
    else {
        return false;
    };
    let calls = context.tree().subtree_of(around).filter(|at| at.kind() == "call_expression");
    calls.filter(|call| context.text(*call) == context.text(ending)).take(2).count() == 2
}

/// True where a name gets a new value inside of a loop: `file, err = os.Open(path)`.
fn is_set_within(context: &GoContext<'_>, name: &str, around: Node<'_>) -> bool {
    let assignments = context.tree().own_nodes_of(around).filter(|at| at.kind() == "assignment_statement");
    let mut names = assignments.into_iter().flat_map(|at| names_on_left(context, at));
    names.any(|left| left == name)
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
        let words = names_in(context.text(condition));
        words.into_iter().any(|word| word.to_ascii_lowercase().ends_with("err"))
    })
}

/// True where the statements around, or those around them in the loop, end with `return`, or with a `break` that ends the
/// loop: there is no further turn.
fn ends_function(context: &GoContext<'_>, node: Node<'_>, around: Node<'_>) -> bool {
    let mentions = context.mentions();
    let inside: Vec<Node<'_>> =
        context.tree().ancestors_of(node).take_while(|at| at.id() != around.id()).collect();
    // A `break` in a case ends the switch, unless it says what it ends.
    let outside_of_cases = inside.iter().rev().take_while(|at| !at.kind().ends_with("_case"));
    let ends_with_label = |at: &Node<'_>| {
        let last = named_children(*at).last().filter(|_| mentions.breaking.contains(&at.id()));
        last.is_some_and(|last| last.named_child_count() == 1)
    };
    inside.iter().any(|at| mentions.returning.contains(&at.id()) || ends_with_label(at))
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
                "func f() { for _, a := range b { c := open(a); defer c.Close(); d := read(c); all = append(all, d) } }",
                "func f() { for _, a := range b { c := open(a); defer c.Close(); all = append(all, c.Name()) } }",
                "func f() { var c C; for _, a := range b { c = open(a); defer c.Close(); h(c) } }",
                "func f() { for _, v := range views { s, release := v.Open(); defer release(); g(s) } }",
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
                "func f() { for { port, release, err := g(); if release != nil { defer release() }; h(port, err) } }",
                "func f() { for { a := g()\n// There are few, so this may be deferred to the end.\ndefer a.Close()\nh(a) } }",
                "func f() { for { if a() { defer g(); return } } }",
                "func f(a []string) { for _, b := range a { c := C.CString(b); defer C.free(c); d = add(d, c) }; C.use(d) }",
                "func f() { for { a := g(); defer a.Stop() // There are few.\n h(a) } }",
                "package main\nfunc main() { for _, b := range a { c := open(b); defer c.Close() } }",
                "func f() { for { if a() { defer g() }; h(); return } }",
                "func f() { for { if a() { defer g(); break } } }",
                "func f() { all: for { select { case <-a: h(); defer close(b); break all } } }",
                "func f() { for _, a := range b { c := open(a); defer c.Close(); all = append(all, bufio.NewReader(c)) } }",
                "func f() { for _, a := range b { c := open(a); defer c.Close(); d := wrap(c); all[a] = d } }",
                "func f() { for _, v := range views { s, release := v.Open(); defer release(); all = append(all, s) } }",
                "func f() { for _, a := range b { c := make(a); defer c.Close(); d(c); if err := c.Close(); err != nil { return } } }",
                "func f() { var p *P; for { if p == nil { p = open(); defer p.Close() }; g(p) } }",
                "func f(h H) { for _, b := range batches { g(b); defer b.close(h) } }",
                "func f() { for _, a := range b { lock(a); defer unlockFile(a) } }",
                "func f(a []A) (err error) { for _, b := range a { h(b); defer func() { if err != nil { b.Undo() } }() } }",
                "func f(a []string) { for _, b := range a { c := make(b); defer os.Remove(c); g(c) } }",
                "func f(all []io.Closer) { for _, one := range all { defer one.Close() } }",
            ],
        );
    }
}
