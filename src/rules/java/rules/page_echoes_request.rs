//! Answers that repeat what they were sent.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method};
use crate::java::requests::stems_from_request;
use crate::java::scopes::sources_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "page-echoes-request",
    aliases: &["sonar:S5131", "findsecbugs:XSS_SERVLET"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "What a request brings is written into the page as it is, scripts and all.",
    help: "Escape it, or let a template engine do so.",
    explanation: "A link can carry a script, and a page that repeats it runs it as its own, with the cookies of \
        whoever follows the link. Escape what goes into a page by `HtmlUtils.htmlEscape` or `Encode.forHtml`, or \
        let a template engine do it.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.servlet.http.*;

class Hello {
    void greet(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.getWriter().println("<p>Hello " + request.getParameter("name"));
    }
}
"#,
        good: r#"import javax.servlet.http.*;
import org.owasp.encoder.Encode;

class Hello {
    void greet(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.getWriter().println("<p>Hello " + Encode.forHtml(request.getParameter("name")));
    }
}
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_page_echoes_request);

/// Words of a method that takes the sting out of a text.
const ESCAPING: &[&str] = &["Encode.", "escape", "Escape", "encode", "sanitize", "application/json", "text/plain"];

fn check_page_echoes_request<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_asked = called_method(context, node).is_some_and(|(receiver, name)| {
        matches!(name, "print" | "println" | "write" | "printf" | "append") && receiver.is_some_and(|it| writes_answer(context, it))
    });
    if !is_asked || context.is_test_file() {
        return;
    }
    let is_given = arguments_of(node).into_iter().any(|argument| stems_from_request(context, argument));
    if is_given && !ESCAPING.iter().any(|word| context.text_around(node).contains(word)) {
        out.push(context.report(&RULE, node, "the request is written into the page"));
    }
}

/// True for the writer of an answer.
fn writes_answer<'c>(context: &JavaContext<'c>, writer: Node<'c>) -> bool {
    let mut sources = sources_of(context, writer).into_iter();
    sources.any(|source| matches!(context.text(source).rsplit('.').next(), Some("getWriter()" | "getOutputStream()")))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(HttpServletRequest r, HttpServletResponse p) { PrintWriter out = p.getWriter(); out.print(r.getQueryString()); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(HttpServletRequest r, Log log) { log.write(r.getParameter(\"a\")); }",
            "void f(HttpServletResponse p, String a) { p.getWriter().print(a); }",
        ]);
    }
}
