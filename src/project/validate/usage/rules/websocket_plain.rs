//! WebSockets without encryption.

use super::super::model::is_local;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "websocket-plain",
            Category::Security,
            Severity::Medium,
            "Everybody on the way can read and change what is said.",
            "use wss://",
        ),
        "CWE-319",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in &code.calls {
        let plain = |text: &&str| text.starts_with("ws://") && !is_local(text);
        if call.all().filter_map(Argument::text).any(|text| plain(&text)) {
            sink.say(call.place, "the connection is not encrypted");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
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
