//! WebSockets without encryption.

use super::super::model::is_local;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "websocket-plain",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Everybody on the way can read and change what is said.",
    help: "use wss://",
    explanation: "`ws://` is not encrypted: everybody on the way reads and changes the messages, and proxies that do \
        not know the protocol break it. Use `wss://`; a server on this machine may go without.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import websockets

connection = websockets.connect("ws://example.com/feed")
"#,
        good: r#"import websockets

connection = websockets.connect("wss://example.com/feed")
"#,
    }],
    cwe: Some("CWE-319"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_websocket_plain;

fn check_websocket_plain(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in &code.calls {
        let plain = |text: &&str| text.starts_with("ws://") && !is_local(text);
        if call.all().filter_map(Argument::text).any(|text| plain(&text)) {
            sink.report_finding(call.place, "the connection is not encrypted");
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
            &[
                (
                    "import websockets\nwebsockets.connect('ws://x.io/a')\nwebsockets.connect(f'ws://x.io/{a}')\n",
                    &[2, 3],
                ),
                ("import websockets\nwebsockets.connect('wss://x.io')\nwebsockets.connect('ws://localhost:1')\n", &[]),
            ],
        );
    }
}
