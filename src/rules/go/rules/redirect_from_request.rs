//! Redirects to wherever the request says.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_method, composed_parts, is_call_of};
use crate::go::requests::{is_chosen_by_request, stems_from_request};
use crate::go::scopes::{assigned_value, names_on_left};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "redirect-from-request",
    aliases: &["gosec:G710"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A link to this site that leads to any other is what a forged letter needs.",
    help: "Redirect to paths of a list, or test that the address begins with a single `/`.",
    explanation: "A link with the name of this site in front wins the trust of its readers; when the request decides \
        where it leads, the page behind it may be anybody's. Choose the target from a list, or allow paths \
        of this site alone.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package login

import "net/http"

func done(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.FormValue("next"), http.StatusFound)
}
"#,
        good: r#"package login

import "net/http"

func done(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, pages[r.FormValue("next")], http.StatusFound)
}
"#,
    }],
    cwe: Some("CWE-601"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_redirect_from_request);

fn check_redirect_from_request<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "net/http", &["Redirect"]) || context.is_test_file() {
        return;
    }
    let Some(target) = arguments_of(node).get(2).copied() else { return };
    // What begins with a constant stays on the site that the constant names.
    let value = if target.kind() == "identifier" { assigned_value(context, target) } else { None };
    let begins_here = composed_parts(context, value.unwrap_or(target)).is_some_and(|parts| {
        parts.first().is_some_and(|it| !context.text(*it).starts_with("\"%") && !stems_from_request(context, *it))
    });
    // `path.Join("/site", r.URL.Path)`
    let is_joined = is_call_of(context, value.unwrap_or(target), "path", &["Join"])
        && arguments_of(value.unwrap_or(target)).first().is_some_and(|it| !stems_from_request(context, *it));
    let is_chosen = target.kind() == "index_expression";
    if !begins_here && !is_joined && !is_chosen && !is_own_address(context, target) && is_chosen_by_request(context, target) && !is_tested(context, node) {
        // What keeps it in bounds may stand in another function.
        out.push(context.report(&RULE, node, "the request says where this leads").doubted());
    }
}

/// `to := *r.URL; to.Path = "/login"` with `to.String()`: the address of the request itself names no host, and its path is set.
fn is_own_address<'c>(context: &GoContext<'c>, target: Node<'c>) -> bool {
    let Some((holder, "String")) = called_method(context, target) else { return false };
    let is_of_request = assigned_value(context, holder).is_some_and(|value| context.text(value).ends_with(".URL"));
    let path = format!("{}.Path", context.text(holder));
    let function = context.outermost_function(target).filter(|_| is_of_request);
    function.is_some_and(|function| {
        let mut statements = context.tree().subtree_of(function).filter(|at| at.kind() == "assignment_statement");
        statements.any(|at| names_on_left(context, at).any(|name| name == path))
    })
}

fn is_tested(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let around = context.text_around(node);
    let named = around.to_ascii_lowercase();
    let asks = ["isvalid", "validredirect", "issafe", "saferedirect", "allowedredirect"].iter().any(|word| named.contains(word));
    asks || around.contains("HasPrefix(")
        || around.contains("IsAbs()")
        || around.contains(".Host ==")
        || around.contains(".Host !=")
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
                "import (\n\"net/http\"\n\"net/url\"\n)\nfunc f(w http.ResponseWriter, r *http.Request) { to, _ := url.Parse(r.FormValue(\"to\")); to.Path = \"/login\"; http.Redirect(w, r, to.String(), 302) }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { to := r.URL.Query().Get(\"to\"); http.Redirect(w, r, to, 302) }",
                "import (\"net/http\"; \"net/url\"; \"strings\")\nfunc f(w http.ResponseWriter, r *http.Request) { to, _ := url.QueryUnescape(strings.TrimSpace(r.FormValue(\"to\"))); http.Redirect(w, r, string(to), 302) }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, or(r.FormValue(\"to\")), 302) }\nfunc or(to string) string { if to == \"\" { return \"/\" }; kept := to; return kept }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { to := *r.URL; to.Path = \"/login\"; http.Redirect(w, r, to.String(), 302) }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, \"/login?next=\"+r.FormValue(\"n\"), 302) }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request, base string) { to := base + r.FormValue(\"n\"); http.Redirect(w, r, to, 302) }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request, to string) { http.Redirect(w, r, to, 302) }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { ref := r.FormValue(\"ref\"); to, err := linker.Link(ref); if err == nil { http.Redirect(w, r, to, 302) } }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, issue(r.URL.Path), 302) }",
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, page(r.FormValue(\"n\")), 302) }\nfunc page(name string) string { return \"/pages/\" + name }",
            ],
        );
    }
}
