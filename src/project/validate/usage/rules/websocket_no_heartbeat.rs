//! Heartbeats turned off.

use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "websocket-no-heartbeat",
        Category::Maintainability,
        Severity::Low,
        "A connection that died in silence looks alive for ever.",
        "leave pings on",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in &code.calls {
        if matches!(call.named("ping_interval"), Some(Argument::Nothing | Argument::Number(0))) {
            sink.say(call.place, "pings are turned off");
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
                "import websockets\nwebsockets.connect('wss://x', ping_interval=None)\nwebsockets.connect('wss://x', ping_interval=20)\n",
                &[2],
            )],
        );
    }
}
