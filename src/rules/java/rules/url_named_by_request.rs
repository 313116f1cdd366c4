//! Addresses that the request chooses.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, created_type, is_static_call, string_text};
use crate::java::requests::stems_from_request;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "url-named-by-request",
    aliases: &["sonar:S5144", "findsecbugs:URLCONNECTION_SSRF_FD"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A request makes this program ask an address of its choosing, inside of the network too.",
    help: "Take the host from a list; put only a path or a parameter in from the request.",
    explanation: "The server can reach what the caller cannot: the metadata service of a cloud, databases, pages \
        for administrators. Choose the host from a list of your own.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.net.URL;
import javax.servlet.http.*;

class Proxy {
    Object fetch(HttpServletRequest request) throws Exception {
        return new URL(request.getParameter("url")).getContent();
    }
}
"#,
        good: r#"import java.net.URL;
import javax.servlet.http.*;

class Proxy {
    Object fetch(HttpServletRequest request) throws Exception {
        return new URL("https", "img.example.com", "/logo.png").getContent();
    }
}
"#,
    }],
    cwe: Some("CWE-918"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "object_creation_expression"], check_url_named_by_request);

/// Methods of clients whose first argument is an address.
const ASKING: &[&str] = &["exchange", "getForEntity", "getForObject", "postForEntity", "postForObject"];

fn check_url_named_by_request<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_address = created_type(context, node) == Some("URL") && arguments_of(node).len() == 1
        || matches!(created_type(context, node), Some("HttpGet" | "HttpPost"))
        || is_static_call(context, node, "URI", &["create"])
        || called_method(context, node).is_some_and(|(_, name)| ASKING.contains(&name)) && arguments_of(node).len() > 1;
    let Some(address) = arguments_of(node).first().copied().filter(|_| is_address && !context.is_test_file()) else { return };
    // What begins with a host of ours stays there.
    let has_host = context.tree().subtree_of(address).any(|at| string_text(context, at).is_some_and(|text| text.contains("://")));
    if !has_host && stems_from_request(context, address) {
        out.push(context.report(&RULE, node, "the request says which address"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f(@RequestParam String u) { return rest.getForObject(u, String.class); }",
            "Object f(HttpServletRequest r) { return URI.create(r.getParameter(\"u\")); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f(String u) { return new URL(u); }",
            "Object f(@RequestParam String id) { return rest.getForObject(\"https://example.com/\" + id, String.class); }",
            "Object f(@RequestParam String u) { return map.getForObject(u); }",
        ]);
    }
}
