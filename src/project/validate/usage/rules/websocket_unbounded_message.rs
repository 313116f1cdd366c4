//! Messages without a limit.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "websocket-unbounded-message",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "One message can take all memory.",
    help: "set a limit",
    explanation: "A message is collected in memory before it is handed over. Without a limit one client that sends a \
        gigabyte, or a few at once, ends the server. The libraries limit messages to a megabyte or so unless that is \
        switched off; set what the service really needs.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import websockets

server = websockets.serve(handle, "example.com", 443, origins=ALLOWED, max_size=None)
"#,
        good: r#"import websockets

server = websockets.serve(handle, "example.com", 443, origins=ALLOWED, max_size=65536)
"#,
    }],
    cwe: Some("CWE-770"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_websocket_message_limit;

fn check_websocket_message_limit(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in &code.calls {
        let none = call.named("max_size") == Some(&Argument::Nothing);
        let zero = call.named("maxPayload") == Some(&Argument::Number(0));
        if none || zero {
            sink.report_finding(call.place, "messages may be of any size");
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
                "import websockets\nwebsockets.serve(f, 'x', 1, max_size=None)\nwebsockets.serve(f, 'x', 1, max_size=100)\n",
                &[2],
            )],
        );
    }
}
