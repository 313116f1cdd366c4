//! TLS that trusts anybody.

use super::prelude::*;
use crate::go::scopes::function_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "insecure-skip-verify",
    aliases: &["gosec:G402"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Without the check of certificates anybody on the way can pose as the server.",
    help: "Leave the check on, and add the certificate of a private authority to `RootCAs`.",
    explanation: "TLS keeps others out because the certificate shows who is at the other end. With \
        `InsecureSkipVerify` any certificate will do, also one that somebody on the way has just made, who \
        then reads and changes everything. For a private authority put its certificate into `RootCAs`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package client

import "crypto/tls"

func settings() *tls.Config {
	return &tls.Config{InsecureSkipVerify: true}
}
"#,
        good: r#"package client

import (
	"crypto/tls"
	"crypto/x509"
)

func settings(pool *x509.CertPool) *tls.Config {
	return &tls.Config{RootCAs: pool}
}
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner =
    GoRunner::Kinds(&["keyed_element", "assignment_statement"], check_insecure_skip_verify);

fn check_insecure_skip_verify<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (name, value) = match node.kind() {
        "keyed_element" => (field(node, "key"), field(node, "value")),
        "assignment_statement" => (field(node, "left"), field(node, "right")),
        _ => return,
    };
    let (Some(name), Some(value)) = (name, value) else { return };
    let is_switch = context.text(name).rsplit('.').next() == Some("InsecureSkipVerify");
    if is_switch && context.text(value) == "true" && !context.is_test_file() && !is_settled_otherwise(context, node) {
        out.push(context.report(&RULE, node, "no certificate is checked"));
    }
}

/// Where the certificate is checked by a function of the program instead, or nobody expects it to be.
fn is_settled_otherwise(context: &GoContext<'_>, node: Node<'_>) -> bool {
    // Somebody asked for it by a name that says so.
    let name = function_name(context, node).to_ascii_lowercase();
    let lets_go = ["disable", "without"].iter().any(|word| name.contains(word))
        && ["cert", "ssl", "tls", "verif"].iter().any(|word| name.contains(word));
    if lets_go || name.contains("insecure") || name.contains("skipverify") {
        return true;
    }
    if context.tree().ancestors_of(node).any(|at| is_asked_for(context, at, node)) || is_refused_before(context, node) {
        return true;
    }
    // Another library calls the check of origins so.
    let literal = context.tree().ancestors_of(node).find(|at| at.kind() == "composite_literal");
    if literal.and_then(|it| field(it, "type")).is_some_and(|of| context.text(of).contains("websocket.")) {
        return true;
    }
    // Whoever looks at the certificates of the other side decides on them.
    let around = context.text_around(node);
    ["VerifyPeerCertificate", "VerifyConnection", "PeerCertificates"].iter().any(|way| around.contains(way))
        || context.tree().source_text().contains(".PeerCertificates")
}

/// `if !options.Insecure { return nil }` stands before: what follows was asked for.
fn is_refused_before(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let body = context.function_around(node).and_then(|function| field(function, "body"));
    let list = body.and_then(|body| children_of_kind(body, "statement_list").next());
    let mut before = list.into_iter().flat_map(named_children).take_while(|at| at.end_byte() < node.start_byte());
    before.any(|at| {
        let asked = field(at, "condition").map(|it| context.text(it).to_ascii_lowercase()).unwrap_or_default();
        let branch = field(at, "consequence").and_then(|block| children_of_kind(block, "statement_list").next());
        let leaves = branch.and_then(|list| named_children(list).last()).is_some_and(|last| last.kind() == "return_statement");
        asked.starts_with('!') && asked.contains("insecure") && leaves
    })
}

/// True for the branch of `if options.Insecure {`, or the case of an option of that name, in which a node stands.
fn is_asked_for(context: &GoContext<'_>, branch: Node<'_>, node: Node<'_>) -> bool {
    let holds = field(branch, "consequence").is_some_and(|block| block.byte_range().contains(&node.start_byte()));
    let asked = field(branch, "condition").map(|it| context.text(it).to_ascii_lowercase()).unwrap_or_default();
    let is_meant = ["insecure", "mode ==", "selfcert", "self_cert", "selfsign", "self_sign"].iter().any(|word| asked.contains(word))
        || ["ignore", "skip"].iter().any(|word| asked.contains(word))
            && ["cert", "ssl", "tls", "verif"].iter().any(|word| asked.contains(word))
        // Between a program and its own machine nobody stands.
        || !asked.contains("!=") && ["localhost", "loopback"].iter().any(|word| asked.contains(word));
    let case = field(branch, "value").filter(|_| branch.kind() == "expression_case");
    let named = case.map(|it| context.text(it).to_ascii_lowercase()).unwrap_or_default();
    let is_denied = asked.replace("!=", "").contains('!');
    // `if !options.VerifyTLS {`
    let is_unwanted = is_denied && asked.contains("verif") && !["ignore", "insecure", "skip"].iter().any(|word| asked.contains(word));
    let is_case = ["insecure", "noverify", "no_verify", "skip"].iter().any(|word| named.contains(word));
    holds && (is_meant && !is_denied || is_unwanted) || is_case
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_confidence, assert_found, go_findings};
    use super::*;
    use tapps_base::finding::Confidence::{High, Low};

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "func f(c *tls.Config, host string) { if host != \"localhost\" { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, host string) { if !IsLocalhost(host) { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config) { c.InsecureSkipVerify = true }",
                "func f(c *tls.Config) {\n// No certificate is verified here.\nc.InsecureSkipVerify = true\n}",
                "func f(c *tls.Config, o Options) { if o.Insecure { return }; c.InsecureSkipVerify = true }",
                "func f(c *tls.Config, o Options) { if !o.SkipTLSVerify { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, o Options) { if o.Insecure { g() } else { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, skipped int) { if skipped > 0 { c.InsecureSkipVerify = true } }",
            ],
        );
    }

    #[test]
    fn beside_the_program_it_is_doubted() {
        let text = "package main\nfunc f(c *tls.Config) { c.InsecureSkipVerify = true }";
        for (path, expected) in [
            ("a.go", High),
            ("latest/a.go", High),
            ("testdata/a.go", Low),
            ("mocks/a.go", Low),
            ("examples/a/main.go", Low),
            ("third_party/a/a.go", Low),
        ] {
            assert_confidence(&RULE, path, text, expected);
        }
        let asserting = text.replace("\nfunc", "\nimport . \"github.com/onsi/gomega\"\nfunc");
        assert_confidence(&RULE, "a.go", &asserting, Low);
        let settled = text.replace("true }", "true // nolint:gosec // it asks its own machine\n}");
        assert_eq!(go_findings(&RULE, "mocks/a.go", &settled)[0].cost, 1_000);
    }

    #[test]
    fn an_order_to_another_checker_leaves_a_doubt() {
        for (text, expected) in [
            ("func f(c *tls.Config) { c.InsecureSkipVerify = true // nolint: gosec // a probe of its own pod\n }", Low),
            ("func f() { g(\n// nolint:gosec\n// A probe of its own pod.\n&tls.Config{InsecureSkipVerify: true}) }", Low),
            ("func f() {\n// nolint:gosec\n// This probes its own pod.\ng(&tls.Config{InsecureSkipVerify: true})\n}", Low),
            ("func f(c *tls.Config) { c.InsecureSkipVerify = true // nolint: gosec\n }", Low),
            ("func f(c *tls.Config) { c.InsecureSkipVerify = true // #nosec G402\n }", Low),
            ("func f(c *tls.Config) { c.ServerName = \"a//nolint\"; c.InsecureSkipVerify = true }", High),
            ("func f() { // nolint: gocyclo\n\tg()\n\tc.InsecureSkipVerify = true\n}", High),
            ("func f(c *tls.Config) {\n// nolint:gosec\n// TODO: hand the authority over some day\nc.InsecureSkipVerify = true\n}", High),
            ("func f(c *tls.Config) { c.InsecureSkipVerify = true // a probe of its own pod needs none\n }", High),
        ] {
            assert_confidence(&RULE, "a.go", text, expected);
        }
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(c *tls.Config, o Options) { if o.Mode == 2 { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, o Options) { if !o.VerifyTLS { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, o Options) { if !o.Insecure { return }; c.InsecureSkipVerify = true }",
                "func f(c *tls.Config, m Mode) { switch m { case ModeNoVerify: c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config) { c.InsecureSkipVerify = false }",
                "func WithInsecure(c *tls.Config) { c.InsecureSkipVerify = true }",
                "func DisableSSLVerification(c *tls.Config) { c.InsecureSkipVerify = true }",
                "var c = tls.Config{InsecureSkipVerify: skip}",
                "func f(c *tls.Config, word string) { switch word { case \"insecure_skip_verify\": c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, o Options) { if o != nil && o.Insecure { c.InsecureSkipVerify = true } }",
                "func f(w W, r R) { websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) }",
                "func f() { c := dial(tls.Config{InsecureSkipVerify: true}); g(c.ConnectionState().PeerCertificates) }",
                "func f(c *tls.Config, o Options) { if o.ignoreTLSErrors { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, host string) { if IsLocalhost(host) { c.InsecureSkipVerify = true } }",
                "func f(c *tls.Config, o Options) { if o.SkipTLSVerify { c.InsecureSkipVerify = true } }",
                "func f() { c := tls.Config{InsecureSkipVerify: true, VerifyConnection: g}; h(c) }",
            ],
        );
    }
}
