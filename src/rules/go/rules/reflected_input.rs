//! Pages with whatever the request brought.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, string_literal};
use crate::go::requests::stems_from_request;
use crate::go::scopes::declared_type;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "reflected-input",
    aliases: &["gosec:G705"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "What a request brings is written into the page as it is, and runs there as a script.",
    help: "Render the page with `html/template`, or escape the value with `html.EscapeString`.",
    explanation: "A link can carry a script; a page that repeats what the link says runs it, with the rights of \
        whoever clicked. `html/template` escapes each value as its place needs it.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package search

import (
	"fmt"
	"net/http"
)

func find(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "<h1>Results for %s</h1>", r.FormValue("q"))
}
"#,
        good: r#"package search

import "net/http"

func find(w http.ResponseWriter, r *http.Request) {
	page.Execute(w, r.FormValue("q"))
}
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_reflected_input);

fn check_reflected_input<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(("fmt" | "io", "Fprint" | "Fprintf" | "Fprintln" | "WriteString")) = called_member(context, node) else {
        return;
    };
    let arguments = arguments_of(node);
    let Some((page, values)) = arguments.split_first() else { return };
    if context.is_test_file() || page.kind() != "identifier" || declared_type(context, *page) != Some("http.ResponseWriter") {
        return;
    }
    // A number or a quoted text cannot hold a tag.
    let form = values.first().and_then(|form| string_literal(context, *form)).unwrap_or("<");
    let around = context.text_around(node);
    let is_plain =
        around.contains("EscapeString(") || around.contains("text/plain") || around.contains("application/json");
    if form.contains('<') && !is_plain && values.iter().any(|value| stems_from_request(context, *value)) {
        // What keeps it in bounds may stand in another function.
        out.push(context.report(&RULE, node, "what the request brought is written into the page").doubted());
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
                "import \"io\"\nfunc f(w http.ResponseWriter, r *http.Request) { q := r.FormValue(\"q\"); io.WriteString(w, q) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"fmt\"\nfunc f(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, \"hello %s\", name) }",
                "import \"fmt\"\nfunc f(w io.Writer, r *http.Request) { fmt.Fprint(w, r.FormValue(\"q\")) }",
                "import \"fmt\"\nfunc f(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, html.EscapeString(r.FormValue(\"q\"))) }",
            ],
        );
    }
}
