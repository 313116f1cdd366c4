//! Redirects to wherever the request says.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method};
use crate::java::requests::stems_from_request;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "redirect-named-by-request",
    aliases: &["sonar:S5146", "findsecbugs:UNVALIDATED_REDIRECT"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A link to this site can lead to any other.",
    help: "Send callers to paths of this site, or to addresses of a list.",
    explanation: "A link that begins with the name of this site and ends at another is what phishing needs. \
        Redirect to a path of your own, or look the address up in a list.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.servlet.http.*;

class Login {
    void done(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.sendRedirect(request.getParameter("next"));
    }
}
"#,
        good: r#"import javax.servlet.http.*;

class Login {
    void done(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.sendRedirect("/home");
    }
}
"#,
    }],
    cwe: Some("CWE-601"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_redirect_named_by_request);

fn check_redirect_named_by_request<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_asked = called_method(context, node).is_some_and(|(_, name)| {
        name == "sendRedirect" || matches!(name, "setHeader" | "addHeader") && context.text(node).contains("\"Location\"")
    });
    if !is_asked || context.is_test_file() {
        return;
    }
    let is_given = arguments_of(node).into_iter().any(|argument| stems_from_request(context, argument));
    if is_given && !context.text_around(node).contains("startsWith(") {
        out.push(context.report(&RULE, node, "the request says where to"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(HttpServletResponse p, @RequestParam String to) { p.sendRedirect(to); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(HttpServletResponse p, String to) { p.sendRedirect(to); }",
            "void f(HttpServletRequest r, HttpServletResponse p) { p.setHeader(\"X\", r.getParameter(\"x\")); }",
            "void f(HttpServletRequest r, HttpServletResponse p) { String to = r.getParameter(\"to\"); if (to.startsWith(\"/\")) { p.sendRedirect(to); } }",
        ]);
    }
}
