//! Connections whose other side nobody checks.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_method_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "certificate-check-off",
    aliases: &["semgrep:rust.lang.security.reqwest-accept-invalid"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3000,
    blocking: false,
    summary: "Without a check of its certificate, whoever answers is taken for the right one.",
    help: "Leave the check on; trust a private authority by adding its certificate.",
    explanation: "TLS hides what is said from everybody but the other side, and the certificate says who that is. \
        With the check off anybody on the way can answer, read and change everything. Where a private \
        authority signs, add its certificate (`add_root_certificate`); `danger_accept_invalid_hostnames` \
        takes any valid certificate of anybody.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().danger_accept_invalid_certs(true).build()
}
",
        good: "pub fn client(authority: reqwest::Certificate) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().add_root_certificate(authority).build()
}
",
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_certificate_check_off);

const SWITCHES: &[&str] = &[
    "accept_invalid_certs",
    "accept_invalid_hostnames",
    "danger_accept_invalid_certs",
    "danger_accept_invalid_hostnames",
    "tls_danger_accept_invalid_certs",
    "tls_danger_accept_invalid_hostnames",
    "tls_allow_invalid_certificates",
];

fn check_certificate_check_off<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let first = || arguments_of(node).first().map_or("", |argument| context.text(*argument));
    let is_off = is_method_of(context, node, SWITCHES) && first() == "true"
        || is_method_of(context, node, &["set_verify", "set_verify_callback"])
            && first().ends_with("SslVerifyMode::NONE");
    if is_off && !context.is_test_code(node) {
        out.push(context.report(&RULE, node, "the certificate of the other side is not checked"));
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
                "fn f(mut b: SslConnectorBuilder) { b.set_verify(SslVerifyMode::NONE); }",
                "fn f() { let c = TlsConnector::builder().danger_accept_invalid_hostnames(true).build(); g(c) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(b: B) { b.danger_accept_invalid_certs(false); }",
                "fn f(b: B, insecure: bool) { b.danger_accept_invalid_certs(insecure); }",
                "#[cfg(test)]
mod tests { fn f(b: B) { b.danger_accept_invalid_certs(true); } }",
            ],
        );
    }
}
