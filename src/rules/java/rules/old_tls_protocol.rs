//! Protocols that have been broken.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, is_static_call, string_text};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "old-tls-protocol",
    aliases: &["sonar:S4423", "findsecbugs:SSL_CONTEXT"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "SSL and TLS before 1.2 can be broken.",
    help: "Ask for `TLSv1.2` or `TLSv1.3`.",
    explanation: "SSL 3, TLS 1.0 and 1.1 have known attacks and are given up by browsers and standards. Ask for \
        `TLSv1.2` or better.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.net.ssl.SSLContext;

class Client {
    SSLContext context() throws Exception {
        return SSLContext.getInstance("TLSv1");
    }
}
"#,
        good: r#"import javax.net.ssl.SSLContext;

class Client {
    SSLContext context() throws Exception {
        return SSLContext.getInstance("TLSv1.3");
    }
}
"#,
    }],
    cwe: Some("CWE-326"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_old_tls_protocol);

const OLD: &[&str] = &["SSL", "SSLv2", "SSLv3", "TLSv1", "TLSv1.0", "TLSv1.1"];

fn check_old_tls_protocol<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_context = is_static_call(context, node, "SSLContext", &["getInstance"]);
    let enables = called_method(context, node).is_some_and(|(_, name)| name == "setEnabledProtocols");
    if !is_context && !enables || context.is_test_file() {
        return;
    }
    let texts = arguments_of(node).into_iter().flat_map(|argument| context.tree().subtree_of(argument));
    let mut old = texts.filter_map(|text| string_text(context, text)).filter(|text| OLD.contains(text));
    if let Some(old) = old.next() {
        out.push(context.report(&RULE, node, format!("`{old}` can be broken")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(SSLSocket s) { s.setEnabledProtocols(new String[] {\"TLSv1.1\", \"TLSv1.2\"}); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f() { return SSLContext.getInstance(\"TLS\"); }",
            "Object f() { return Other.getInstance(\"SSL\"); }",
        ]);
    }
}
