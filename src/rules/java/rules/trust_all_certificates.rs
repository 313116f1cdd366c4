//! Certificates that nobody looks at.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "trust-all-certificates",
    aliases: &["sonar:S4830", "sonar:S5527", "findsecbugs:WEAK_TRUST_MANAGER", "findsecbugs:WEAK_HOSTNAME_VERIFIER"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Every certificate or host name is accepted, so that anybody in between can read and change what is sent.",
    help: "Leave the default in place; add a certificate of your own to a trust store.",
    explanation: "TLS protects only when the other side is who it says it is. A trust manager that does nothing, \
        or a verifier that always says yes, accepts everybody. For certificates of your own make a trust store \
        with them.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

class Everybody implements X509TrustManager {
    public void checkClientTrusted(X509Certificate[] chain, String type) {
    }

    public void checkServerTrusted(X509Certificate[] chain, String type) {
    }

    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
"#,
        good: r#"import java.security.KeyStore;
import javax.net.ssl.TrustManagerFactory;

class Ours {
    TrustManagerFactory trust(KeyStore store) throws Exception {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory;
    }
}
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_declaration", "method_invocation", "identifier"], check_trust_all_certificates);

/// Names of what accepts everything in libraries.
const ACCEPTING: &[&str] = &["ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier", "NoopHostnameVerifier", "TrustAllStrategy"];

fn check_trust_all_certificates<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    let accepts = match node.kind() {
        "method_declaration" => accepts_everybody(context, node),
        "identifier" => {
            let is_imported = context.tree().ancestors_of(node).any(|at| at.kind() == "import_declaration");
            ACCEPTING.contains(&context.text(node)) && !is_imported
        }
        _ => called_method(context, node).is_some_and(|(receiver, name)| match name {
            "setHostnameVerifier" | "setDefaultHostnameVerifier" | "hostnameVerifier" => {
                arguments_of(node).iter().any(|argument| always_true(context, *argument))
            }
            // Android's browser asks what to do about a bad certificate.
            "proceed" => receiver.is_some_and(|it| context.text_around(node).contains(&format!("SslErrorHandler {}", context.text(it)))) && !context.text_around(node).contains("if "),
            _ => false,
        }),
    };
    if accepts {
        out.push(context.report(&RULE, node, "everybody is accepted here"));
    }
}

fn accepts_everybody(context: &JavaContext<'_>, method: Node<'_>) -> bool {
    let part = |name: &str| field(method, name).map_or("", |part| context.text(part));
    let Some(body) = field(method, "body") else { return false };
    match part("name") {
        "checkServerTrusted" => named_children(body).next().is_none(),
        "verify" => {
            let is_verifier = part("parameters").contains("SSLSession");
            is_verifier && context.text(body).split_whitespace().collect::<String>() == "{returntrue;}"
        }
        _ => false,
    }
}

fn always_true(context: &JavaContext<'_>, lambda: Node<'_>) -> bool {
    let body = (lambda.kind() == "lambda_expression").then(|| field(lambda, "body")).flatten();
    body.is_some_and(|body| context.text(body) == "true")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "public boolean verify(String host, SSLSession session) { return true; }",
            "void f(HttpsURLConnection c) { c.setHostnameVerifier((host, session) -> true); }",
            "void f(Builder b) { b.setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "public boolean verify(String host, SSLSession session) { return host.equals(\"a\"); }",
            "public void checkServerTrusted(X509Certificate[] c, String a) { throw new CertificateException(\"no\"); }",
            "boolean verify() { return true; }",
            "void f(C c) { c.setHostnameVerifier((host, session) -> host.equals(\"a\")); }",
        ]);
    }
}
