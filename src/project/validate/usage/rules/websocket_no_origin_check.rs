//! Servers that take connections from any page.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "websocket-no-origin-check",
            Category::Security,
            Severity::Medium,
            "Any page a user visits can open the socket in that user's name.",
            "say which origins are allowed",
        ),
        "CWE-1385",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in &code.calls {
        let python = matches!(call.callee.as_str(), "websockets.serve" | "serve")
            && code.mentions(&["websockets"])
            && call.named("origins").is_none();
        let script = matches!(call.callee.as_str(), "WebSocketServer" | "WebSocket.Server" | "ws.Server")
            && call.named("verifyClient").is_none()
            && call.named("noServer").is_none()
            && !code.mentions(&["origin"]);
        if python || script {
            sink.say(call.place, "pages of any origin may connect");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[(
                "import websockets\nwebsockets.serve(f, 'x', 1)\nwebsockets.serve(f, 'x', 1, origins=['https://x'])\n",
                &[2],
            )],
        );
    }
}
