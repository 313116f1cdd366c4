//! The profiler offered to whoever can reach the server.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, is_of_this_machine, string_literal};
use crate::go::scopes::comment_beside;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "exposed-profiler",
    aliases: &["gosec:G108"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Importing `net/http/pprof` adds the profiler to the default handler of the program.",
    help: "Serve the handlers of `net/http/pprof` on an address of their own that only operators reach.",
    explanation: "The import alone registers `/debug/pprof` with `http.DefaultServeMux`. If that serves the public, \
        anybody reads command lines, stacks and memory profiles, and can keep the processor busy. Register \
        the handlers with a mux of their own, on an address for operators.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package main

import (
	"net/http"
	_ "net/http/pprof"
)

func main() {
	http.Handle("/", site())
}
"#,
        good: r#"package main

import (
	"net/http"
	"net/http/pprof"
)

func operators() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	return mux
}
"#,
    }],
    cwe: Some("CWE-200"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["import_spec"], check_exposed_profiler);

fn check_exposed_profiler<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_import = node.kind() == "import_spec" && field(node, "name").is_some_and(|name| context.text(name) == "_");
    let is_profiler =
        || field(node, "path").is_some_and(|path| context.text(path).trim_matches('"') == "net/http/pprof");
    if is_import
        && !context.is_test_file()
        && is_profiler()
        && !serves_profiler_alone(context)
        && !is_explained(context, node)
    {
        let finding = context.report(&RULE, node, "the profiler is served wherever the default handler is");
        out.push(finding.doubted_if(speaks_of_this_machine(context)));
    }
}

/// True where an address of the machine itself is written: most likely the one that is served.
fn speaks_of_this_machine(context: &GoContext<'_>) -> bool {
    let mut texts = context.tree().all_nodes().filter_map(|node| string_literal(context, node));
    texts.any(is_of_this_machine)
}

/// True where a comment stands beside the import.
fn is_explained(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let line = context.tree().parent_of(node).filter(|parent| parent.kind() == "import_declaration").unwrap_or(node);
    comment_beside(line).is_some()
}

/// True for a file that serves the default handler and gives it nothing else to serve: that server is there for the profiler.
fn serves_profiler_alone(context: &GoContext<'_>) -> bool {
    let mut is_served = false;
    for call in context.tree().all_nodes().filter(|at| at.kind() == "call_expression") {
        match called_member(context, call) {
            Some(("net/http", "Handle" | "HandleFunc")) => return false,
            Some(("net/http", "ListenAndServe" | "ListenAndServeTLS" | "Serve")) => {
                let handler = arguments_of(call).last().map_or("", |handler| context.text(*handler));
                is_served |= handler == "nil" || handler == "http.DefaultServeMux";
            }
            _ => {}
        }
    }
    is_served
}

#[cfg(test)]
mod tests {
    use tapps_base::finding::Confidence;

    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        let public = "import (\n\"net/http\"\n_ \"net/http/pprof\"\n)\nfunc f() { http.HandleFunc(\"/\", g); http.ListenAndServe(a, nil) }";
        assert_found(&RULE, &["import _ \"net/http/pprof\"", public]);
    }

    #[test]
    fn what_listens_to_the_machine_itself_is_doubted() {
        let local = "import (\n\"fmt\"\n_ \"net/http/pprof\"\n)\nfunc f() { serve(fmt.Sprintf(\"%s:%d\", \"localhost\", port)) }";
        let far = local.replace("localhost", "localhost.example");
        for (text, expected) in [(local, Confidence::Low), (far.as_str(), Confidence::High)] {
            assert_confidence(&RULE, "a.go", text, expected);
        }
    }

    #[test]
    fn what_is_left_alone() {
        let alone = "import (\n\"net/http\"\n_ \"net/http/pprof\"\n)\nfunc f() { http.ListenAndServe(a, nil) }";
        let explained = "import _ \"net/http/pprof\" // Served where a flag says so.\n";
        assert_clean(&RULE, &["import \"net/http/pprof\"", "import _ \"embed\"", alone, explained]);
    }
}
