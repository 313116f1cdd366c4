//! Redirects to wherever the request says.

use super::prelude::*;
use crate::go::calls::composed_parts;
use crate::go::calls::{arguments_of, is_call_of};
use crate::go::requests::stems_from_request;
use crate::go::scopes::assigned_value;

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
    // `address.Path = "/login"`: a request names no host in its own address.
    let holder = field(target, "function").and_then(|callee| field(callee, "operand")).map_or("", |it| context.text(it));
    let has_path = !holder.is_empty() && context.text_around(node).contains(&format!("{holder}.Path = "));
    if !begins_here && !is_joined && !is_chosen && !has_path && stems_from_request(context, target) && !is_tested(context, node) {
        out.push(context.report(&RULE, node, "the request says where this leads"));
    }
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
                "import \"net/http\"\nfunc f(w http.ResponseWriter, r *http.Request) { to := r.URL.Query().Get(\"to\"); http.Redirect(w, r, to, 302) }",
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
            ],
        );
    }
}
