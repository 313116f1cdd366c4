//! Heartbeats turned off.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "websocket-no-heartbeat",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "A connection that died in silence looks alive for ever.",
    help: "leave pings on",
    explanation: "When the other side vanishes without a word (a cable, a sleeping laptop, a proxy) TCP notices for \
        hours nothing. Pings find out in seconds. The libraries send them by themselves unless they are switched off.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import websockets

connection = websockets.connect("wss://example.com/feed", ping_interval=None)
"#,
        good: r#"import websockets

connection = websockets.connect("wss://example.com/feed", ping_interval=20)
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_websocket_no_heartbeat;

fn check_websocket_no_heartbeat(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in &code.calls {
        if matches!(call.named("ping_interval"), Some(Argument::Nothing | Argument::Number(0))) {
            sink.report_finding(call.place, "pings are turned off");
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
                "import websockets\nwebsockets.connect('wss://x', ping_interval=None)\nwebsockets.connect('wss://x', ping_interval=20)\n",
                &[2],
            )],
        );
    }
}
