//! Addresses that the request names, asked by the server.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, composed_parts, string_literal};
use crate::go::requests::stems_from_request;
use crate::go::scopes::assigned_value;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "address-from-request",
    aliases: &["gosec:G107", "gosec:G704"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A server that asks any address it is told reaches what its callers cannot.",
    help: "Choose the address from a list of hosts that are meant.",
    explanation: "Behind the server are machines that trust it: databases, the metadata service of the cloud with \
        its keys. A request that says which address to ask reaches them through the server. Take the host \
        from a list; testing the text of an address is not enough, since names can lead anywhere.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package preview

import "net/http"

func fetch(w http.ResponseWriter, r *http.Request) {
	page, err := http.Get(r.FormValue("url"))
	show(w, page, err)
}
"#,
        good: r#"package preview

import "net/http"

func fetch(w http.ResponseWriter, r *http.Request) {
	page, err := http.Get(sources[r.FormValue("source")])
	show(w, page, err)
}
"#,
    }],
    cwe: Some("CWE-918"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_address_from_request);

fn check_address_from_request<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let at = match called_member(context, node) {
        Some(("net/http", "Get" | "Head" | "Post" | "PostForm")) => 0,
        Some(("net/http", "NewRequest")) => 1,
        Some(("net/http", "NewRequestWithContext")) => 2,
        _ => return,
    };
    let Some(address) = arguments_of(node).get(at).copied().filter(|_| !context.is_test_file()) else { return };
    if address.kind() != "index_expression" && !has_fixed_host(context, address) && stems_from_request(context, address) {
        // What keeps it in bounds may stand in another function.
        out.push(context.report(&RULE, node, "the request says whom the server asks").doubted());
    }
}

/// True where the address begins with a host that is written out, or with something that is not of the request.
fn has_fixed_host<'c>(context: &GoContext<'c>, address: Node<'c>) -> bool {
    let value = if address.kind() == "identifier" { assigned_value(context, address) } else { None };
    let Some(parts) = composed_parts(context, value.unwrap_or(address)) else { return false };
    let Some((first, rest)) = parts.split_first() else { return false };
    match string_literal(context, *first) {
        Some(text) => text.split_once("://").is_some_and(|(_, host)| {
            let is_ended = || host.contains('/') || rest.first().is_some_and(|next| begins_with_slash(context, *next));
            !host.is_empty() && !host.starts_with('%') && is_ended()
        }),
        None => !rest.is_empty() && !stems_from_request(context, *first),
    }
}

/// True for a path, which ends the host before it.
fn begins_with_slash<'c>(context: &GoContext<'c>, part: Node<'c>) -> bool {
    let made = assigned_value(context, part).unwrap_or(part);
    let first = composed_parts(context, made).and_then(|parts| string_literal(context, *parts.first()?));
    first.or_else(|| string_literal(context, made)).is_some_and(|text| text.starts_with('/'))
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
                "import (\"fmt\"; \"net/http\")\nfunc f(r *http.Request) { p := fmt.Sprintf(\"%s/v1\", r.URL.Path); u := \"http://unix\" + p; http.Get(u) }",
                "import \"net/http\"\nfunc f(c *gin.Context) { u := \"http://\" + c.Query(\"host\"); http.NewRequest(\"GET\", u, nil) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"net/http\"\nfunc f(r *http.Request) { http.Get(\"https://api.example.com/users/\" + r.PathValue(\"id\")) }",
                "import \"net/http\"\nfunc f(u string) { http.Get(u) }",
                "import (\"fmt\"; \"net/http\")\nfunc f(r *http.Request) { p := fmt.Sprintf(\"/v1/%s\", r.URL.Path); u := \"http://unix\" + p; http.Get(u) }",
                "import (\"fmt\"; \"net/http\")\nfunc f(r *http.Request) { u := fmt.Sprintf(\"http://localhost:%d/users/%s\", port, r.PathValue(\"id\")); http.Get(u) }",
                "import \"net/http\"\nfunc f(r *http.Request) { http.Get(base + r.PathValue(\"id\")) }",
            ],
        );
    }
}
