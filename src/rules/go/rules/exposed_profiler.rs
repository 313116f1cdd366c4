//! The profiler offered to whoever can reach the server.

use super::prelude::*;

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
    if is_import && !context.is_test_file() && is_profiler() {
        out.push(context.report(&RULE, node, "the profiler is served wherever the default handler is"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import _ \"net/http/pprof\""]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["import \"net/http/pprof\"", "import _ \"embed\""]);
    }
}
