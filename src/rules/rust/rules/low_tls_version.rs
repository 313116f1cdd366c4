//! Versions of TLS that are broken.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_method_of};

pub use crate::common::low_tls_version::RULE;

/// What differs in Rust.
const IN_RUST: Rule = Rule { help: "Ask for TLS 1.2 or later.", ..RULE };

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_low_tls_version);

const SETTERS: &[&str] = &[
    "min_protocol_version",
    "min_tls_version",
    "set_min_proto_version",
    "set_max_proto_version",
    "max_protocol_version",
    "max_tls_version",
];
const OLD: &[&str] = &["SSL3", "Sslv3", "TLS1", "TLS1_1", "TLS_1_0", "TLS_1_1", "Tlsv10", "Tlsv11"];

fn check_low_tls_version<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_method_of(context, node, SETTERS) || context.is_test_code(node) {
        return;
    }
    let arguments = arguments_of(node);
    let mut words = arguments
        .iter()
        .flat_map(|argument| context.text(*argument).split(|sign: char| !sign.is_alphanumeric() && sign != '_'));
    if let Some(version) = words.find(|word| OLD.contains(word)) {
        out.push(context.report(&IN_RUST, node, format!("`{version}` can be broken on the way")));
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
                "fn f() { TlsConnector::builder().min_protocol_version(Some(Protocol::Tlsv10)).build(); }",
                "fn f(b: &mut B) { b.set_min_proto_version(Some(SslVersion::TLS1_1)); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(b: &mut B) { b.set_min_proto_version(Some(SslVersion::TLS1_2)); }",
                "fn f(version: Version) -> bool { version == Version::TLS_1_0 }",
            ],
        );
    }
}
