//! Servers that listen on every network the machine is in.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of, string_literal};

pub use crate::common::bind_all_interfaces::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_bind_all_interfaces);

fn check_bind_all_interfaces<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let listens = is_call_of(context, node, "net", &["Listen", "ListenPacket"])
        || is_call_of(context, node, "crypto/tls", &["Listen"]);
    if !listens || context.is_test_file() || context.is_demonstration() {
        return;
    }
    let Some(address) = arguments_of(node).get(1).and_then(|address| string_literal(context, *address)) else { return };
    let is_port = address.strip_prefix(':').is_some_and(|port| port.starts_with(|c: char| c != ':'));
    let is_everywhere = is_port || ["0.0.0.0:", "[::]:"].iter().any(|start| address.starts_with(start));
    // The system chooses port 0: for a test, or for a service that tells its address.
    if is_everywhere && !address.ends_with(":0") {
        out.push(context.report(&RULE, node, format!("`{address}` listens on every interface")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import \"net\"\nfunc f() { net.Listen(\"tcp\", \":80\") }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"net\"\nfunc f() { net.Listen(\"tcp\", \":0\"); net.Listen(\"tcp\", \"localhost:80\"); net.Listen(\"unix\", \"/run/a\") }",
                "func f() { net.Listen(\"tcp\", \":80\") }",
                "import \"net\"\nfunc f() { net.ListenPacket(\"ip6:ipv6-icmp\", \"::1\") }",
            ],
        );
    }
}
