//! Connections whose other end may be anybody.

use super::prelude::*;
use crate::c::calls::{called_function, number_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "peer-not-verified",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Without a check of the certificate anybody may be the other end.",
    help: "Leave the check on, and add your own authority where one is needed.",
    explanation: "TLS without a check of the certificate hides what is said from those who only listen: whoever can \
        stand between shows a certificate of their own, reads everything and changes it. Add an authority of \
        your own (`SSL_CTX_load_verify_locations`, `CURLOPT_CAINFO`) where the public ones do not do.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <curl/curl.h>

void prepare(CURL *curl) {
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
}
"#,
        good: r#"#include <curl/curl.h>

void prepare(CURL *curl) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, "authority.pem");
}
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_peer_not_verified);

fn check_peer_not_verified<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let arguments = arguments_of(node);
    let argument = |at: usize| arguments.get(at).map_or("", |argument| context.text(*argument));
    let is_zero = |at: usize| {
        arguments.get(at).is_some_and(|value| number_of(context, *value) == Some(0)) || argument(at) == "false"
    };
    let is_off = match called_function(context, node) {
        Some("curl_easy_setopt") => {
            matches!(argument(1), "CURLOPT_SSL_VERIFYPEER" | "CURLOPT_SSL_VERIFYHOST" | "CURLOPT_PROXY_SSL_VERIFYPEER")
                && is_zero(2)
        }
        Some("SSL_CTX_set_verify" | "SSL_set_verify") => argument(1) == "SSL_VERIFY_NONE" || is_zero(1),
        Some("mbedtls_ssl_conf_authmode") => argument(1) == "MBEDTLS_SSL_VERIFY_NONE",
        Some("set_verify_mode") => argument(0).ends_with("verify_none"),
        Some("setPeerVerifyMode") => argument(0).ends_with("VerifyNone"),
        _ => false,
    };
    if is_off && !context.is_test_file() {
        out.push(context.report(&RULE, node, "the certificate of the other end is not checked"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "example.c",
            &[
                "void f(SSL_CTX *c) { SSL_CTX_set_verify(c, SSL_VERIFY_NONE, NULL); }",
                "void f(CURL *c) { curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 0); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(SSL_CTX *c) { SSL_CTX_set_verify(c, SSL_VERIFY_PEER, NULL); }",
                "void f(CURL *c) { curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L); }",
                "void f(CURL *c, long v) { curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, v); }",
            ],
        );
    }
}
