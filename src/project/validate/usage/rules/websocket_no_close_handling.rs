//! Connections whose end nobody notices.

use super::super::model::Call;
use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "websocket-no-close-handling",
        Category::Maintainability,
        Severity::Low,
        "Every connection is cut some day, and then nothing happens any more.",
        "handle the close and connect again",
    ),
    hadolint: &[],
    run,
};

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

fn run(code: &Code, sink: &mut Sink<'_>) {
    if code.mentions(&HANDLES) {
        return;
    }
    let opens = |call: &&Call| {
        matches!(call.callee.as_str(), "websockets.connect" | "websocket.create_connection" | "WebSocket" | "io")
    };
    // A `with` or a loop over connections notices the end.
    for call in code.calls.iter().filter(opens).filter(|call| !call.managed) {
        sink.say(call.place, "nothing is done when the connection ends");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
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
