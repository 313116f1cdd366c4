//! Protocols that have been broken.

use super::prelude::*;
use crate::c::calls::called_function;

pub use crate::common::low_tls_version::RULE;

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_low_tls_version);

fn check_low_tls_version<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const OLD: &[&str] = &[
        "SSLv2_method",
        "SSLv3_method",
        "TLSv1_method",
        "TLSv1_1_method",
        "SSLv3_client_method",
        "TLSv1_client_method",
        "TLSv1_1_client_method",
        "TLSv1_server_method",
        "TLSv1_1_server_method",
        "SSLv3_server_method",
    ];
    const VERSIONS: &[&str] = &[
        "SSL2_VERSION",
        "SSL3_VERSION",
        "TLS1_VERSION",
        "TLS1_1_VERSION",
        "CURL_SSLVERSION_SSLv2",
        "CURL_SSLVERSION_SSLv3",
        "CURL_SSLVERSION_TLSv1_0",
        "CURL_SSLVERSION_TLSv1_1",
    ];
    let Some(name) = called_function(context, node).filter(|_| !context.is_test_file()) else { return };
    let takes_version = name.ends_with("set_min_proto_version")
        || name.ends_with("set_max_proto_version")
        || name == "curl_easy_setopt";
    let is_old = OLD.contains(&name)
        || takes_version && arguments_of(node).iter().any(|argument| VERSIONS.contains(&context.text(*argument)));
    if is_old {
        out.push(context.report(&RULE, node, "this protocol has been broken"));
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
            "a.c",
            &[
                "void *f(void) { return SSL_CTX_new(TLSv1_method()); }",
                "void f(SSL_CTX *c) { SSL_CTX_set_min_proto_version(c, TLS1_VERSION); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.c",
            &[
                "void *f(void) { return SSL_CTX_new(TLS_method()); }",
                "void f(SSL_CTX *c) { SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION); }",
            ],
        );
    }
}
