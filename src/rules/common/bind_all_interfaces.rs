//! Servers that listen on every network the machine is in.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "bind-all-interfaces",
    aliases: &["gosec:G102"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A socket that listens on every interface can be reached from networks it was not meant for.",
    help: "Name the address to listen on, or read it from the configuration.",
    explanation: "An address without a host, or `0.0.0.0`, is every interface of the machine: also the one that \
        faces the internet. Name the interface that the service is for (`127.0.0.1` for a neighbour on the \
        same machine), or let the operator say it.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package serve

import "net"

func Open() (net.Listener, error) {
	return net.Listen("tcp", "0.0.0.0:9000")
}
"#,
            good: r#"package serve

import "net"

func Open() (net.Listener, error) {
	return net.Listen("tcp", "127.0.0.1:9000")
}
"#,
        },
        Example {
            path: "example.rs",
            bad: r#"use std::net::TcpListener;

pub fn open() -> std::io::Result<TcpListener> {
    TcpListener::bind("0.0.0.0:9000")
}
"#,
            good: r#"use std::net::TcpListener;

pub fn open() -> std::io::Result<TcpListener> {
    TcpListener::bind("127.0.0.1:9000")
}
"#,
        },
    ],
    cwe: Some("CWE-1327"),
    since: "0.1.0",
};
