//! Errors whose cause is lost in a text.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, is_call_of, string_literal};
use crate::go::failures::answers_request;
use crate::go::handled::was_handled_before;
use crate::go::purposes::is_about_telling;
use crate::go::scopes::{assigned_value, declared_type};
use crate::go::verbs::{verbs_of_values, wraps_an_error};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "error-not-wrapped",
    aliases: &["errorlint:errorf"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "An error that is put into a text with `%v` can no longer be told from any other.",
    help: "Use `%w`.",
    explanation: "`fmt.Errorf` with `%v` or `%s` keeps the words of an error and loses the error: `errors.Is` and \
        `errors.As` find nothing behind it. `%w` keeps both. Where the cause is a detail that callers \
        shall not depend on, write its text with `err.Error()`. Nothing is said in files that wrap less than \
        half of their errors: there it is a custom.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package load

import "fmt"

func Load(path string) error {
	if err := check(path); err != nil {
		return fmt.Errorf("check %s: %w", path, err)
	}
	if err := read(path); err != nil {
		return fmt.Errorf("load %s: %v", path, err)
	}
	return nil
}
"#,
        good: r#"package load

import "fmt"

func Load(path string) error {
	if err := check(path); err != nil {
		return fmt.Errorf("check %s: %w", path, err)
	}
	if err := read(path); err != nil {
		return fmt.Errorf("load %s: %w", path, err)
	}
	return nil
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_error_not_wrapped);

fn check_error_not_wrapped<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "fmt", &["Errorf"]) || context.is_beyond_advice() || context.is_demonstration() {
        return;
    }
    let arguments = arguments_of(node);
    let Some((form, values)) = arguments.split_first() else { return };
    let Some(form) = string_literal(context, *form) else { return };
    // A format that counts its values itself may put any of them in words.
    let verbs = verbs_of_values(form);
    let is_in_words = |at: usize| match &verbs {
        Some(verbs) => verbs.get(at).is_some_and(|verb| verb.ends_with(['s', 'v'])),
        None => form.contains("]s") || form.contains("]v"),
    };
    let mut causes = values.iter().enumerate().filter(|(at, value)| is_in_words(*at) && is_error(context, **value));
    if !wraps_an_error(form)
        && causes.any(|(_, cause)| !was_handled_before(context, *cause))
        && !ends_here(context, node)
        && !may_be_none(context, node)
        && !is_explained(context, node)
        && context.wraps_errors()
    {
        let finding = context.report(&RULE, node, "the cause is kept as words alone");
        out.push(finding.doubted_if(context.is_of_go()));
    }
}

/// Types of what is called an error and is none.
const OTHERS: &[&str] = &["[]byte", "any", "bool", "bytes.Buffer", "int", "interface{}", "string", "strings.Builder"];

/// True for a name of an error. What a panic was given may be anything, and a text is nobody's cause.
fn is_error<'c>(context: &GoContext<'c>, value: Node<'c>) -> bool {
    let name = context.text(value);
    let is_named = value.kind() == "identifier" && (name == "err" || name.ends_with("Err")) && !name.ends_with("tdErr");
    let is_other = || {
        if is_of_type_switch(context, value) {
            return true;
        }
        let of = declared_type(context, value).map(|of| of.trim_start_matches('*'));
        let given = assigned_value(context, value);
        of.is_some_and(|of| OTHERS.contains(&of))
            || given.is_some_and(|given| is_of_tcpip(context, given))
            || given.is_some_and(|given| context.text(given) == "recover()" || context.text(given).ends_with(".(string)"))
            || conditions_around(context, value).any(|condition| {
                let asked = context.text(condition);
                // Codes of C are compared with nought.
                ["!= \"\"", "!= 0", "< 0"].iter().any(|test| asked.contains(&format!("{name} {test}"))) || asked.contains(&format!("len({name})"))
            })
    };
    is_named && !is_other()
}

/// `switch err := value.(type) {`: in its other cases it is an error of none.
fn is_of_type_switch(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let within = context.tree().ancestors_of(value).take_while(|at| !context.tree().is_function(*at));
    let mut cases = within.filter(|at| matches!(at.kind(), "type_case" | "default_case"));
    let switch = cases.next().map(|case| (case, context.tree().parent_of(case)));
    switch.is_some_and(|(case, switch)| {
        let name = switch.and_then(|switch| field(switch, "alias"));
        name.is_some_and(|name| context.text(name) == context.text(value))
            && field(case, "type").is_none_or(|of| context.text(of) != "error")
    })
}

/// The network stack of gVisor has errors of a type of its own, which is none to `fmt`.
fn is_of_tcpip<'c>(context: &GoContext<'c>, given: Node<'c>) -> bool {
    context.imports_like(|path| path.starts_with("gvisor.dev/gvisor/pkg/tcpip"))
        && called_method(context, given).is_some()
        && called_member(context, given).is_none()
}

fn conditions_around<'c>(context: &GoContext<'c>, node: Node<'c>) -> impl Iterator<Item = Node<'c>> {
    let within = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    within.filter_map(|at| field(at, "condition"))
}

/// `if err != nil || a == nil {`: there may be no error, of which `%w` would say so in other words.
fn may_be_none<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    let nearest = conditions_around(context, node).next();
    nearest.is_some_and(|condition| {
        field(condition, "operator").is_some_and(|operator| operator.kind() == "||") && context.text(condition).contains("!= nil")
    })
}

/// True for an error that no caller gets: a person, a log or the other side of a connection is told its text.
fn ends_here<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    let mut calls = Vec::new();
    for at in context.tree().ancestors_of(node) {
        match at.kind() {
            // One that is not even kept is another mistake.
            "expression_statement" if calls.is_empty() => return true,
            // One of several, or part of something else: whoever has that looks at its text.
            "literal_element" | "literal_value" | "keyed_element" => return true,
            "call_expression" if field(at, "function").is_some_and(|it| context.text(it) == "append") => return true,
            "call_expression" => calls.push(at),
            "argument_list" | "parenthesized_expression" => {}
            // `fmt.Errorf(…).Error()`
            "selector_expression" if field(at, "field").is_some_and(|name| context.text(name) == "Error") => return true,
            "selector_expression" => {}
            _ => break,
        }
    }
    calls.into_iter().any(|call| {
        let callee = field(call, "function").map_or("", |callee| context.text(callee));
        is_about_telling(callee)
            || answers_request(context, call)
            || called_member(context, call).is_some_and(|(path, name)| {
                path.ends_with("/util/runtime") && name.starts_with("HandleError")
            })
    })
}

/// True where a comment says that the cause is kept back on purpose.
fn is_explained(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let said = context.comment_above(node).to_ascii_lowercase();
    ["%w", "opaque", "wrap"].iter().any(|word| said.contains(word))
}

#[cfg(test)]
mod tests {
    use tapps_base::finding::Confidence;

    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;

    /// What stands above the functions of a file that keeps causes.
    const HEAD: &str = "import \"fmt\"\nfunc wrap(err error) error { return fmt.Errorf(\"a: %w\", err) }\n";

    fn below_head(functions: &[&str]) -> Vec<String> {
        functions.iter().map(|function| format!("{HEAD}{function}")).collect()
    }

    #[test]
    fn what_is_found() {
        let texts = below_head(&[
                "func f(err error) error { return fmt.Errorf(\"a: %s\", err) }",
                "func f(n int, err error) error { return fmt.Errorf(\"%d%%: %+v\", n, err) }",
                "func f(a A) error { if err := g(a); err != nil { return fmt.Errorf(\"%v: %v\", a, err) }; return nil }",
                "func f(a A) error { err := g(a); if err != nil { return err }; err = h(a); if a.on { return fmt.Errorf(\"a: %v\", err) }; return nil }",
                "func f(n int, err error) error { return fmt.Errorf(\"%[2]d: %[1]v\", err, n) }",
                "func f(e any) error { switch err := e.(type) { case error: return fmt.Errorf(\"a: %v\", err) }; return nil }",
        ]);
        assert_found(&RULE, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_left_alone() {
        let texts = below_head(&[
                "func f(err error) error { return fmt.Errorf(\"a: %w\", err) }",
                "func f(e any) error { switch err := e.(type) { case error: return err; default: return fmt.Errorf(\"a: %v\", err) } }",
                "func f(e any) error { switch err := e.(type) { case string: return fmt.Errorf(\"a: %v\", err) }; return nil }",
                "func f(err error) error { return fmt.Errorf(\"a: %s\", err.Error()) }",
                "func f(err error) { panic(fmt.Errorf(\"a: %s\", err)) }",
                "func f(err error) { printError(fmt.Errorf(\"a: %s\", err)); exitWithError(fmt.Errorf(\"b: %s\", err)) }",
                "func f(err error) { fmt.Errorf(\"a: %s\", err) }",
                "func f(a int) error { return fmt.Errorf(\"a: %v\", a) }",
                "func f() error { a, err := g(); if err != nil || a == nil { return fmt.Errorf(\"a: %v\", err) }; return nil }",
                "func f(all []error, err error) []error { return append(all, fmt.Errorf(\"a: %v\", err)) }",
                "func f(err error) error { return Deletion{Err: fmt.Errorf(\"a: %v\", err)} }",
                "func f(a A, err error) error { return fmt.Errorf(\"%T: %s\", err, a) }",
                "func f() (e error) { defer func() { if err := recover(); err != nil { e = fmt.Errorf(\"a: %v\", err) } }(); return nil }",
                "func f(a A) error { b, err := g(a); if err != nil { return err }; if b == nil { return fmt.Errorf(\"a: %v\", err) }; return nil }",
                "func f(err error) error { if err == nil { return fmt.Errorf(\"a: %v\", err) }; return nil }",
                "func f(s *S, err error) { s.logIf(fmt.Errorf(\"a: %v\", err)); s.log.Error(b, fmt.Errorf(\"c: %v\", err)) }",
                "func f(w http.ResponseWriter, err error) { reply(w, 400, fmt.Errorf(\"a: %v\", err)) }",
                "func f(err error) string { return fmt.Errorf(\"a: %v\", err).Error() }",
                "func f(l *link) error { if err := C.destroy(l.link); err != 0 { return fmt.Errorf(\"a: %v\", err) }; return nil }",
                "func f(parseErr string) error { return fmt.Errorf(\"a: %s\", parseErr) }",
                "func f() error { if sayErr := g(); sayErr != \"\" { return fmt.Errorf(\"a: %s\", sayErr) }; return nil }",
                "func f(err error) error {\n// Callers shall not see through this: it is opaque.\nreturn fmt.Errorf(\"a: %v\", err)\n}",
                "func f(err error) { runtime.HandleError(fmt.Errorf(\"a: %v\", err)) }\nimport \"k8s.io/apimachinery/pkg/util/runtime\"",
        ]);
        assert_clean(&RULE, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn what_was_taken_over_from_go_is_doubted() {
        for (head, expected) in [
            ("// Copyright 2017 The Go Authors. All rights reserved.", Confidence::Low),
            ("// It is written as The Go Authors do.", Confidence::High),
        ] {
            let text = format!("{head}\n\npackage a\n{HEAD}func f(err error) error {{ return fmt.Errorf(\"a: %v\", err) }}");
            assert_confidence(&RULE, "a.go", &text, expected);
        }
    }

    #[test]
    fn files_without_causes_are_left_alone() {
        let text = "import \"fmt\"\nfunc f(err error) error { return fmt.Errorf(\"a: %v\", err) }";
        let asking = format!("{text}\nimport \"errors\"\nfunc g(err error) bool {{ return errors.Is(err, gone) }}");
        assert_clean(&RULE, &[text, &asking]);
        let network = "func f(s *stack.Stack) error { if err := s.Start(); err != nil { return fmt.Errorf(\"a: %v\", err) }; return nil }\nimport \"gvisor.dev/gvisor/pkg/tcpip/stack\"";
        assert_clean(&RULE, &[below_head(&[network])[0].as_str()]);
        assert_found(&RULE, &[&format!("{text}\nfunc g(err error) error {{ return fmt.Errorf(\"a: %w\", err) }}")]);
    }
}
