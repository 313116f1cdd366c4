//! Versions of TLS that are broken.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "low-tls-version",
    aliases: &["gosec:G402"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "SSL 3, TLS 1.0 and TLS 1.1 can be broken by somebody on the way.",
    help: "Ask for `tls.VersionTLS12` or later.",
    explanation: "TLS 1.0 and 1.1 rest on MD5 and SHA-1 and were withdrawn in 2021; SSL 3 has been broken since \
        2014. A configuration that allows them lets somebody on the way choose them. Every client in use \
        speaks TLS 1.2.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package client

import "crypto/tls"

var settings = &tls.Config{MinVersion: tls.VersionTLS10}
"#,
            good: r#"package client

import "crypto/tls"

var settings = &tls.Config{MinVersion: tls.VersionTLS12}
"#,
        },
        Example {
            path: "example.rs",
            bad: "use reqwest::{Client, tls::Version};

pub fn client() -> reqwest::Result<Client> {
    Client::builder().min_tls_version(Version::TLS_1_0).build()
}
",
            good: "use reqwest::{Client, tls::Version};

pub fn client() -> reqwest::Result<Client> {
    Client::builder().min_tls_version(Version::TLS_1_2).build()
}
",
        },
        Example {
            path: "example.c",
            bad: "#include <openssl/ssl.h>

int prepare(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_VERSION);
}
",
            good: "#include <openssl/ssl.h>

int prepare(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}
",
        },
        Example {
            path: "example.sh",
            bad: r#"#!/bin/sh
curl --tlsv1.0 -f https://prices.example/today
"#,
            good: r#"#!/bin/sh
curl --tlsv1.2 -f https://prices.example/today
"#,
        },
    ],
    cwe: Some("CWE-327"),
    since: "0.1.0",
};
