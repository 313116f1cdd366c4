//! Servers that listen on every network the machine is in.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_call_of, is_method_of, string_literal, without_borrows};

pub use crate::common::bind_all_interfaces::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_bind_all_interfaces);

fn check_bind_all_interfaces<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let listens = is_call_of(context, node, &["TcpListener::bind", "UdpSocket::bind", "Server::bind", "Server::http"])
        || is_method_of(context, node, &["bind", "bind_rustls"]);
    if !listens || context.is_aside(node) {
        return;
    }
    let arguments = arguments_of(node);
    let Some(argument) = arguments.first().copied().map(|argument| without_borrows(context, argument)) else { return };
    // A host may stand beside its port.
    let parts = if argument.kind() == "tuple_expression" { named_children(argument).collect() } else { vec![argument] };
    let Some(address) = parts.first().and_then(|host| string_literal(context, *host)) else { return };
    let port = parts.get(1).map(|port| context.text(*port));
    let is_everywhere = ["0.0.0.0", "[::]", "::"].iter().any(|host| {
        address
            .strip_prefix(host)
            .is_some_and(|rest| rest.is_empty() && port.is_some() || rest.starts_with(':') && !rest.starts_with("::"))
    });
    // The system chooses port 0: for a test, or for a client.
    if is_everywhere && !address.ends_with(":0") && port != Some("0") {
        out.push(context.report(&RULE, node, format!("`{address}` listens on every interface")));
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
                r#"async fn f() { let l = tokio::net::TcpListener::bind(("0.0.0.0", 80)).await; g(l) }"#,
                r#"fn f() { let s = HttpServer::new(app).bind("[::]:80"); g(s) }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(address: &str) { let l = TcpListener::bind(address); g(l) }",
                r#"fn f() { let l = UdpSocket::bind("0.0.0.0:0"); g(l) }"#,
                r#"fn f(statement: S) { statement.bind("::1") }"#,
            ],
        );
    }
}
