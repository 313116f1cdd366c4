//! Cookies that travel in the open.

use super::prelude::*;
use crate::java::calls::created_type;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "cookie-without-secure",
    aliases: &["sonar:S2092", "sonar:S3330", "findsecbugs:INSECURE_COOKIE"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A cookie is sent over plain connections as well.",
    help: "Call `setSecure(true)` and `setHttpOnly(true)` before it is added.",
    explanation: "Without `Secure` the cookie goes over plain HTTP too, where anybody on the way can read it; \
        without `HttpOnly` any script in the page can. A cookie that is taken away (`setMaxAge(0)`) is left \
        alone.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.servlet.http.*;

class Login {
    void remember(HttpServletResponse response, String session) {
        Cookie cookie = new Cookie("session", session);
        response.addCookie(cookie);
    }
}
"#,
        good: r#"import javax.servlet.http.*;

class Login {
    void remember(HttpServletResponse response, String session) {
        Cookie cookie = new Cookie("session", session);
        cookie.setSecure(true);
        cookie.setHttpOnly(true);
        response.addCookie(cookie);
    }
}
"#,
    }],
    cwe: Some("CWE-614"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["object_creation_expression"], check_cookie_without_secure);

fn check_cookie_without_secure<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if created_type(context, node) != Some("Cookie") || context.is_test_file() {
        return;
    }
    let around = context.text_around(node);
    let is_sent = around.contains("addCookie(");
    let is_taken_away = around.contains("setMaxAge(0)");
    if is_sent && !is_taken_away && !around.contains("setSecure(") {
        out.push(context.report(&RULE, node, "this cookie is sent in the open too"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(HttpServletResponse r) { r.addCookie(new Cookie(\"a\", \"b\")); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Cookie f() { return new Cookie(\"a\", \"b\"); }",
            "void f(HttpServletResponse r) { Cookie c = new Cookie(\"a\", \"\"); c.setMaxAge(0); r.addCookie(c); }",
        ]);
    }
}
