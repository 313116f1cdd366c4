//! Servers that take connections from any page.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "websocket-no-origin-check",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Any page a user visits can open the socket in that user's name.",
    help: "say which origins are allowed",
    explanation: "Browsers open WebSockets to every server, from every page, and send the user's cookies along; the \
        same-origin rule does not hold there. A server that does not look at the origin lets any page the user visits \
        act in the user's name. Say which origins are allowed.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import websockets

server = websockets.serve(handle, "example.com", 443)
"#,
        good: r#"import websockets

server = websockets.serve(handle, "example.com", 443, origins=["https://example.com"])
"#,
    }],
    cwe: Some("CWE-1385"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_websocket_no_origin_check;

fn check_websocket_no_origin_check(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in &code.calls {
        let python = matches!(call.callee.as_str(), "websockets.serve" | "serve")
            && code.mentions(&["websockets"])
            && call.named("origins").is_none();
        let script = matches!(call.callee.as_str(), "WebSocketServer" | "WebSocket.Server" | "ws.Server")
            && call.named("verifyClient").is_none()
            && call.named("noServer").is_none()
            && !code.mentions(&["origin"]);
        if python || script {
            sink.report_finding(call.place, "pages of any origin may connect");
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
                "import websockets\nwebsockets.serve(f, 'x', 1)\nwebsockets.serve(f, 'x', 1, origins=['https://x'])\n",
                &[2],
            )],
        );
    }
}
