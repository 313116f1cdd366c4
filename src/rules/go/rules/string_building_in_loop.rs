//! Texts that grow by a copy of themselves.

use std::collections::HashSet;

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of, string_literal};
use crate::go::language::receiver_type;
use crate::go::scopes::{comment_beside, declared_type, function_name, is_constant_text, local_declaration};
use crate::words::split_identifier_words;

pub use crate::common::string_building_in_loop::RULE;

pub(super) const RUN: GoRunner = GoRunner::File(check_string_building_in_loop);

/// Functions that describe something to a person, who reads no long text.
const DESCRIBING: &[&str] = &[
    "debug", "describe", "detail", "dump", "error", "format", "help", "histogram", "message", "print", "report", "sprint", "stats", "string",
    "summarize", "summary", "usage",
];

/// Words of texts that stay short, whatever they are made of.
const SHORT: &[&str] = &["cmd", "column", "columns", "command", "desc", "err", "error", "expr", "expression", "flag", "flags", "header", "headers", "hint", "id", "ids", "indent", "key", "label", "line", "matcher", "message", "mode", "msg", "name", "option", "options", "path", "pattern", "prefix", "regex", "regexp", "row", "sep", "separator", "sig", "signature", "suffix", "tag", "tags", "title", "token", "url", "usage", "version", "warning"];

fn check_string_building_in_loop(context: &GoContext<'_>, out: &mut Vec<Finding>) {
    if context.is_beyond_advice() || context.is_development_tool() {
        return;
    }
    let (mut looked_at, mut told) = (HashSet::new(), HashSet::new());
    for node in context.tree().all_nodes().filter(|node| node.kind() == "assignment_statement") {
        let Some((name, around)) = growing_name(context, node) else { continue };
        // Separators grow with what they separate.
        if !looked_at.insert((around.id(), context.text(name))) {
            continue;
        }
        let Some(declaration) = local_declaration(context, name) else { continue };
        // One that begins anew at each turn stays short.
        let grows = declaration.start_byte() < around.start_byte()
            && is_text(context, name, declaration)
            && !is_needed_in_between(context, around, name);
        if grows && told.insert(declaration.id()) {
            out.push(context.report(&RULE, node, format!("`{}` is copied at each turn", context.text(name))));
        }
    }
}

/// The name that a statement lengthens by something that is not the same each time, and the loop that does it for as long as
/// the data lasts.
fn growing_name<'c>(context: &GoContext<'c>, node: Node<'c>) -> Option<(Node<'c>, Node<'c>)> {
    let adds = field(node, "operator").is_some_and(|it| it.kind() == "+=");
    let around = context.loop_around(node).filter(|_| adds)?;
    let name = named_children(field(node, "left")?).next().filter(|name| name.kind() == "identifier")?;
    let value = named_children(field(node, "right")?).next()?;
    let grows = !is_constant_text(context, value)
        && !is_written_out(context, around)
        && !is_cut(context, around)
        && (goes_over_input(context, around) || takes_apart(context, value) && !counts(around))
        && !ends_loop(context, node)
        && comment_beside(node).is_none()
        && !stays_short(context, name)
        // What went wrong is told in a few words.
        && !context.text(value).contains(".Error()");
    grows.then_some((name, around))
}

/// True where the name of a text, or of the function that makes it, says that it is short.
fn stays_short(context: &GoContext<'_>, name: Node<'_>) -> bool {
    let holder = context.outermost_function(name).and_then(|function| receiver_type(context.tree(), function));
    let mut function = split_identifier_words(function_name(context, name));
    // What reports to a person does so in each of its methods.
    function.extend(split_identifier_words(holder.unwrap_or_default()).into_iter().filter(|word| word == "report"));
    let says = |words: &[String], known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    says(&split_identifier_words(context.text(name)), SHORT) || says(&function, SHORT) || says(&function, DESCRIBING)
}

/// True for a loop that counts up to a number that it was given: not to the length of anything.
fn counts(around: Node<'_>) -> bool {
    let clause = children_of_kind(around, "for_clause").next();
    let limit = clause.and_then(|clause| field(clause, "condition")).and_then(|it| field(it, "right"));
    limit.is_some_and(|limit| matches!(limit.kind(), "identifier" | "int_literal"))
}

/// True for a loop over what is written out one by one: in a literal, or as the last arguments of callers.
fn is_written_out(context: &GoContext<'_>, around: Node<'_>) -> bool {
    let over = children_of_kind(around, "range_clause").next().and_then(|clause| field(clause, "right"));
    over.is_some_and(|over| match over.kind() {
        "composite_literal" => true,
        "identifier" => {
            let declared = local_declaration(context, over);
            declared.is_some_and(|it| it.kind() == "variadic_parameter_declaration")
        }
        _ => false,
    })
}

/// True for a loop over what was cut to a few before: `if len(tags) > most { tags = tags[:most] }`, where `most` is a number or a
/// constant of the file.
fn is_cut(context: &GoContext<'_>, around: Node<'_>) -> bool {
    let over = children_of_kind(around, "range_clause").next().and_then(|clause| field(clause, "right"));
    let (Some(over), Some(function)) = (over, context.outermost_function(around)) else { return false };
    let name = context.text(over);
    let cuts = |at: Node<'_>| {
        let (Some(left), Some(right)) = (field(at, "left"), field(at, "right").and_then(|right| right.named_child(0))) else {
            return false;
        };
        let is_of_it = context.text(left) == name && field(right, "operand").is_some_and(|it| context.text(it) == name);
        let few = field(right, "end").filter(|_| right.kind() == "slice_expression" && field(right, "start").is_none());
        is_of_it && few.is_some_and(|few| few.kind() == "int_literal" || is_constant_of_file(context, few))
    };
    let mut assignments = context.tree().subtree_of(function).filter(|at| at.kind() == "assignment_statement");
    over.kind() == "identifier" && assignments.any(|at| at.end_byte() <= around.start_byte() && cuts(at))
}

fn is_constant_of_file(context: &GoContext<'_>, name: Node<'_>) -> bool {
    let mut specs = context.tree().all_nodes().filter(|at| at.kind() == "const_spec");
    specs.any(|spec| children_of_kind(spec, "identifier").any(|it| context.text(it) == context.text(name)))
}

/// True for a whole line: texts have many. Single letters and parts of a text make another that is as short.
fn takes_apart(context: &GoContext<'_>, value: Node<'_>) -> bool {
    context.tree().subtree_of(value).any(|part| match part.kind() {
        "interpreted_string_literal" => context.text(part).ends_with("\\n\""),
        _ => false,
    })
}

/// Types of what holds many texts.
const MANY: &[&str] = &["[]string", "[][]byte", "[][]string", "chan string", "<-chan string"];

/// True for loops that turn as long as there is input: without a head, on a condition, or over what a caller hands in. Up to a
/// number and over fields the turns are mostly few.
fn goes_over_input(context: &GoContext<'_>, around: Node<'_>) -> bool {
    let heads = named_children(around).filter(|head| head.kind() != "block");
    let is_input = |over: Node<'_>| match over.kind() {
        "identifier" => {
            let declared = local_declaration(context, over).filter(|declared| declared.kind() == "parameter_declaration");
            declared.and_then(|declared| field(declared, "type")).is_some_and(|of| MANY.contains(&context.text(of)))
        }
        "call_expression" => is_call_of(context, over, "strings", &["Fields", "Split", "SplitAfter", "SplitN"]),
        _ => false,
    };
    heads.into_iter().all(|head| match head.kind() {
        "for_clause" => field(head, "condition").and_then(|it| field(it, "right")).is_some_and(|limit| {
            limit.kind() == "call_expression"
                && field(limit, "function").is_some_and(|function| context.text(function) == "len")
                && arguments_of(limit).into_iter().all(is_input)
        }),
        "range_clause" => field(head, "right").is_some_and(is_input),
        // `for scanner.Scan() {`
        kind => kind == "call_expression",
    })
}

/// True where the statements behind lead out of the loop.
fn ends_loop(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let mentions = context.mentions();
    let list = context.tree().parent_of(node).map(|list| list.id());
    list.is_some_and(|list| mentions.returning.contains(&list) || mentions.breaking.contains(&list))
}

/// True where each turn reads what there is so far, as a path that grows by its parts.
fn is_needed_in_between(context: &GoContext<'_>, around: Node<'_>, name: Node<'_>) -> bool {
    let from = context.mentions().names_from(context.text(name), around.start_byte());
    let mut inside = from.iter().take_while(|at| at.start_byte() < around.end_byte());
    inside.any(|at| {
        let mut above = context.tree().ancestors_of(*at).take_while(|it| it.id() != around.id());
        let is_asked_or_target = above.any(|it| {
            it.kind() == "binary_expression"
                || it.kind() == "assignment_statement"
                    && field(it, "left").is_some_and(|left| left.byte_range().contains(&at.start_byte()))
        });
        !is_asked_or_target
    })
}

fn is_text(context: &GoContext<'_>, name: Node<'_>, declaration: Node<'_>) -> bool {
    let values = field(declaration, "right").or_else(|| field(declaration, "value"));
    let begins_as_text = values.and_then(|values| named_children(values).next()).is_some_and(|value| {
        // A sum may be one of numbers.
        let mut parts = context.tree().subtree_of(value);
        string_literal(context, value).is_some()
            || value.kind() == "binary_expression"
                && is_constant_text(context, value)
                && parts.any(|part| string_literal(context, part).is_some())
    });
    begins_as_text || declared_type(context, name) == Some("string")
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
                "func f(a []string) { var s string; for _, b := range a { if b != \"\" { s += b } } }",
                "func f(a []string) { s := \"\"; for i, b := range a { if i > 0 { s += \", \" }; s += b } }",
                "func f() { s := \"\"; for _, b := range t.lines { s += b.text + \"\\n\" } }",
                "func f(a []string) { s := \"\"; for i := 0; i < len(a); i++ { s += g(a, i) } }",
                "func f(r R) { s := \"\"; for { c := r.Read(); if c == 0 { break }; s += g(c) } }",
                "func f(r *bufio.Scanner) { s := \"\"; for r.Scan() { s += r.Text() } }",
                "func f(a [][]string) { s := \"\"; for _, b := range a { s += b[0]; for _, c := range b { s += c } } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(a []int) { n := 0; for _, b := range a { n += b } }",
                "func f(a []string) string { s := \"\"; if len(a) > 4 { a = a[:4] }; for _, b := range a { s += b + \"\\n\" }; return s }",
                "func f(a []string) { for _, b := range a { s := \"\"; s += b; g(s) } }",
                "func f() { s := \"a\"; s += \"b\" }",
                "func f() { at := 1 + 2; for at < 90 { at += 4 } }",
                "func f(a ...string) { s := \"\"; for _, b := range a { s += b } }",
                "func f() { s := \"\"; for i := 0; i < 8; i++ { s += g(i) } }",
                "func f() { s := \"\"; for _, b := range t.fields { s += b.Name() } }",
                "func f() { s := \"\"; for _, b := range []string{\"a\", c} { s += b + \"\\n\" } }",
                "func f(t T) { s := \"\"; for t.Kind() == pointer { s += \"*\"; t = t.Elem() } }",
                "func f(a []string) { s := \"\"; for _, b := range a { if b == c { s += b; break } } }",
                "func f(a []string) { msg := \"\"; for _, b := range a { msg += b } }",
                "func f(a string) { s := \"\"; for _, b := range a { s += string(b) } }",
                "func f(a map[string]string) { s := \"\"; for b, c := range a { s += b + c } }",
                "func f(n int) { s := \"\"; for n > 0 { s += g(n); n-- } }",
                "func formatAll(a []string) string { s := \"\"; for _, b := range a { s += b }; return s }",
                "func f(a []string) { s := \"\"; for _, b := range a { s += b // There are few.\n } }",
                "func (r *report) latencies(a []string) { s := \"\"; for _, b := range a { s += b } }",
                "func f(all []error) { s := \"\"; for _, e := range all { s += e.Error() + \"\\n\" } }",
                "func keyIDOf(a []byte) { s := \"\"; for _, b := range a { s += g(b) } }",
                "func f(n int) { s := \"\"; for i := 0; i < n; i++ { s += string(letters[i]) } }",
                "func (e Errors) Error() string { s := \"\"; for _, b := range e.all { s += b }; return s }",
                "// Code generated by a tool. DO NOT EDIT.\npackage a\nfunc f(a []string) { s := \"\"; for _, b := range a { s += b } }",
                "func f(a []string) { path := \"\"; for _, b := range a { path += \"/\" + b; g(path) } }",
            ],
        );
    }
}
