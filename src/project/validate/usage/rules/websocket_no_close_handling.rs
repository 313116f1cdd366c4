//! Connections whose end nobody notices.

use super::super::model::FunctionCall;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "websocket-no-close-handling",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Every connection is cut some day, and then nothing happens any more.",
    help: "handle the close and connect again",
    explanation: "Networks, proxies and servers close every connection some day, and then the next call raises. \
        Without a handler the program ends, or goes on without ever receiving anything again. Catch the close and \
        connect anew; `async for` over `connect` does both.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import websockets


async def listen():
    socket = await websockets.connect("wss://example.com/feed")
    print(await socket.recv())
"#,
        good: r#"import websockets
from websockets.exceptions import ConnectionClosed


async def listen():
    try:
        socket = await websockets.connect("wss://example.com/feed")
        print(await socket.recv())
    except ConnectionClosed:
        await listen()
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_websocket_close_handling;

const HANDLES: [&str; 13] = [
    "ConnectionClosed",
    "ConnectionClosedError",
    "ConnectionClosedOK",
    "WebSocketConnectionClosedException",
    "WebSocketDisconnect",
    "close",
    "onclose",
    "on_close",
    "onClose",
    "disconnect",
    "reconnect",
    "run_forever",
    "wait_closed",
];

fn check_websocket_close_handling(code: &FileCalls, sink: &mut FindingSink<'_>) {
    if code.mentions(&HANDLES) {
        return;
    }
    let opens = |call: &&FunctionCall| {
        matches!(call.callee.as_str(), "websockets.connect" | "websocket.create_connection" | "WebSocket" | "io")
    };
    // A `with` or a loop over connections notices the end.
    for call in code.calls.iter().filter(opens).filter(|call| !call.managed) {
        sink.report_finding(call.place, "nothing is done when the connection ends");
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
                ("import websockets\nws = await websockets.connect('wss://x')\n", &[2]),
                (
                    "import websockets\ntry:\n    ws = await websockets.connect('wss://x')\nexcept ConnectionClosed:\n    pass\n",
                    &[],
                ),
            ],
        );
    }
}
