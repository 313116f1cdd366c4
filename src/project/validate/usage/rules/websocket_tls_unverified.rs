//! Certificates that are not checked.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "websocket-tls-unverified",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever stands between can pretend to be the server.",
    help: "leave verification on",
    explanation: "A context without verification accepts every certificate, so the encrypted connection may end at an \
        attacker. Use `ssl.create_default_context()`, and `load_verify_locations` for a certificate of your own \
        authority.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import ssl

import websockets

context = ssl._create_unverified_context()
connection = websockets.connect("wss://example.com/feed", ssl=context)
"#,
        good: r#"import ssl

import websockets

context = ssl.create_default_context()
connection = websockets.connect("wss://example.com/feed", ssl=context)
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_websocket_tls_unverified;

fn check_websocket_tls_unverified(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in &code.calls {
        let socket = call.callee.to_ascii_lowercase().contains("websocket");
        let off = call.named("rejectUnauthorized") == Some(&Argument::False)
            || call.callee == "ssl._create_unverified_context";
        if off && (socket || call.callee.starts_with("ssl.")) {
            sink.report_finding(call.place, "the server's certificate is not checked");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_usage_rule(
            &super::RULE,
            super::RUN,
            &[(
                "import ssl, websockets\nc = ssl._create_unverified_context()\nd = ssl.create_default_context()\n",
                &[2],
            )],
        );
    }
}
