//! Servers that wait for their clients for ever.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, composed_parts, is_call_of, is_of_this_machine, keyed_value, package_member, string_literal};
use crate::go::scopes::assigned_value;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "http-no-timeout",
    aliases: &["gosec:G112", "gosec:G114"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A server without a deadline for headers can be kept busy by clients that send nothing.",
    help: "Make an `http.Server` with `ReadHeaderTimeout`.",
    explanation: "Each connection holds a goroutine and a descriptor. Without a deadline a client that sends one \
        byte a minute holds them for ever, and a few thousand of those are the end of the service. \
        `http.ListenAndServe` has no deadlines at all; an `http.Server` with `ReadHeaderTimeout` or \
        `ReadTimeout` has.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package main

import "net/http"

func serve(handler http.Handler) error {
	return http.ListenAndServe("127.0.0.1:8080", handler)
}
"#,
        good: r#"package main

import (
	"net/http"
	"time"
)

func serve(handler http.Handler) error {
	server := &http.Server{Addr: "127.0.0.1:8080", Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	return server.ListenAndServe()
}
"#,
    }],
    cwe: Some("CWE-400"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression", "composite_literal"], check_http_no_timeout);

const SERVING: &[&str] = &["ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS"];
const DEADLINES: &[&str] = &["ReadHeaderTimeout", "ReadTimeout"];

fn check_http_no_timeout<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.holds_tests() || context.is_demonstration() {
        return;
    }
    if is_call_of(context, node, "net/http", SERVING) && !serves_itself(context, node) {
        out.extend(report_serving(context, node));
    }
    let is_server = node.kind() == "composite_literal"
        && field(node, "type").and_then(|of| package_member(context, of)) == Some(("net/http", "Server"));
    if is_server
        && DEADLINES.iter().all(|key| keyed_value(context, node, key).is_none())
        && !is_set_later(context, node)
        && !is_set_by_listener(context, node)
    {
        let finding = context.report(&RULE, node, "this server has no deadline for headers");
        out.push(finding.doubted_if(!listens_itself(context, node)));
    }
}

/// What there is to say of a function of the package that serves, at an address or with a listener.
fn report_serving<'c>(context: &GoContext<'c>, call: Node<'c>) -> Option<Finding> {
    let first = arguments_of(call).first().copied()?;
    let takes_address = called_member(context, call).is_some_and(|(_, name)| name.starts_with("Listen"));
    let is_far = if takes_address { !is_loopback(context, first) } else { listens_afar(context, first) };
    let is_told = takes_address || !is_limited(context, first);
    is_told.then(|| context.report(&RULE, call, "this server has no deadlines").doubted_if(!is_far))
}

/// True where the function around shows that the server listens beyond its machine.
fn listens_itself<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    if let Some(address) = keyed_value(context, node, "Addr") {
        return !is_loopback(context, address);
    }
    let Some(function) = context.outermost_function(node) else { return false };
    context.tree().subtree_of(function).any(|at| {
        is_open_listener(context, at) || called_method(context, at).is_some_and(|(_, name)| name.starts_with("ListenAndServe"))
    })
}

/// True for a listener that the function makes, beyond its machine.
fn listens_afar<'c>(context: &GoContext<'c>, listener: Node<'c>) -> bool {
    assigned_value(context, listener).is_some_and(|made| is_open_listener(context, made))
}

fn is_open_listener<'c>(context: &GoContext<'c>, made: Node<'c>) -> bool {
    is_call_of(context, made, "net", &["Listen"])
        && arguments_of(made).get(1).is_some_and(|address| !is_loopback(context, *address))
}

/// `http.ListenAndServe("localhost:6060", nil)`: the profiler and what else the default handler has, for whoever sits before the machine.
fn serves_itself<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    let arguments = arguments_of(node);
    let is_default = arguments.last().is_some_and(|handler| matches!(context.text(*handler), "nil" | "http.DefaultServeMux"));
    is_default && arguments.first().is_some_and(|address| is_loopback(context, *address))
}

/// True for an address that only programs of the same machine reach: who of them may keep the server busy, is another question.
fn is_loopback<'c>(context: &GoContext<'c>, address: Node<'c>) -> bool {
    let made = assigned_value(context, address).unwrap_or(address);
    let first = composed_parts(context, made).and_then(|parts| string_literal(context, *parts.first()?));
    first.or_else(|| string_literal(context, made)).is_some_and(is_of_this_machine)
}

fn is_set_later(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let around = context.text_around(node);
    DEADLINES.iter().any(|key| around.contains(&format!(".{key} =")))
}

fn is_set_by_listener<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    let Some(function) = context.outermost_function(node) else { return false };
    context.tree().subtree_of(function).any(|at| {
        called_method(context, at).is_some_and(|(_, name)| name == "Serve")
            && arguments_of(at).first().is_some_and(|it| is_limited(context, *it))
    })
}

/// `server.Serve(listener)`: a listener of the program's own may give its connections deadlines, and at a socket of the system
/// nobody waits from outside.
fn is_limited<'c>(context: &GoContext<'c>, listener: Node<'c>) -> bool {
    let made = assigned_value(context, listener).unwrap_or(listener);
    let callee = field(made, "function").map_or("", |callee| context.text(callee));
    let arguments = arguments_of(made);
    let made_type = if made.kind() == "unary_expression" { field(made, "operand") } else { Some(made) };
    let is_own = made_type.is_some_and(|made| made.kind() == "composite_literal");
    let has_deadline = || arguments.iter().any(|one| ["imeout", "eadline"].iter().any(|word| context.text(*one).contains(word)));
    let is_local = || arguments.first().and_then(|kind| string_literal(context, *kind)) == Some("unix");
    is_own || callee.ends_with("Listener") && has_deadline() || is_call_of(context, made, "net", &["Listen"]) && is_local()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;
    use tapps_base::finding::Confidence::{High, Low};

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"net/http\"\nfunc f() { s := &http.Server{Addr: \"a\"}; s.ListenAndServe() }",
                "import (\n\"net\"\n\"net/http\"\n)\nfunc f() { s := &http.Server{Handler: h}; l, _ := net.Listen(\"tcp\", a); g(\"unix\", timeout); s.Serve(l) }",
                "import (\n\"net/http\"\n_ \"net/http/pprof\"\n)\nfunc f() { http.ListenAndServe(\":6060\", nil) }",
                "import \"net/http\"\nfunc f() { http.ListenAndServeTLS(\"a\", \"b\", \"c\", nil) }",
            ],
        );
    }

    #[test]
    fn a_server_for_the_machine_itself_is_doubted() {
        for (text, expected) in [
            ("http.ListenAndServe(\"127.0.0.1:80\", h)", Low),
            ("http.ListenAndServe(\":80\", h)", High),
            ("l, err := net.Listen(\"unix\", a); go http.Serve(l, h); http.ListenAndServe(\":80\", h)", High),
            ("l, err := net.Listen(\"tcp\", \"127.0.0.1:0\"); http.Serve(l, h)", Low),
            ("l, err := net.Listen(\"tcp\", a); http.Serve(l, h)", High),
            ("http.Serve(l, h)", Low),
            ("s := http.Server{Addr: fmt.Sprintf(\"localhost:%d\", n)}", Low),
            ("s := http.Server{Addr: a}", High),
            ("s := http.Server{Handler: h}; s.Serve(unixListener)", Low),
            ("s := http.Server{Handler: h}; l := net.Listen(\"tcp\", a); s.Serve(l)", High),
        ] {
            let file = format!("import (\n\"fmt\"\n\"net\"\n\"net/http\"\n)\nfunc f() {{ {text} }}");
            assert_confidence(&RULE, "a.go", &file, expected);
        }
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"net/http\"\nfunc f() { s := http.Server{ReadTimeout: t}; s.ListenAndServe() }",
                "import \"net/http\"\nfunc f() { s := http.Server{}; s.ReadHeaderTimeout = t }",
                "func f() { s := Server{} ; s.Serve() }",
                "import \"net/http\"\nfunc f() { s := &http.Server{Handler: h}; l := &streams{session: a}; s.Serve(l) }",
                "import \"net/http\"\nfunc f() { http.ListenAndServe(\"localhost:6060\", http.DefaultServeMux) }",
                "import (\n\"net\"\n\"net/http\"\n)\nfunc f() { l, err := net.Listen(\"unix\", path)\nhttp.Serve(l, h) }",
                "import (\n\"net\"\n\"net/http\"\n)\nfunc f() { l, err := net.Listen(\"unix\", path)\ns := &http.Server{Handler: h}\ns.Serve(l) }",
                "import \"net/http\"\nfunc f() { l := util.NewListener(a, idleTimeout)\ns := &http.Server{Handler: h}\ns.Serve(l) }",
                "import \"net/http\"\nfunc f() { http.ListenAndServe(\"localhost:6060\", nil) }",
                "import \"net/http\"\nfunc f() { at := \"127.0.0.1:6060\"; http.ListenAndServe(at, nil) }",
                "import (\n\"net/http\"\n\"github.com/mitchellh/go-testing-interface\"\n)\nfunc f(t testing.T) { http.ListenAndServe(\"a\", h) }",
            ],
        );
    }
}
