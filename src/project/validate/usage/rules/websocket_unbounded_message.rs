//! Messages without a limit.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "websocket-unbounded-message",
            Category::Security,
            Severity::Medium,
            "One message can take all memory.",
            "set a limit",
        ),
        "CWE-770",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in &code.calls {
        let none = call.named("max_size") == Some(&Argument::Nothing);
        let zero = call.named("maxPayload") == Some(&Argument::Number(0));
        if none || zero {
            sink.say(call.place, "messages may be of any size");
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
                "import websockets\nwebsockets.serve(f, 'x', 1, max_size=None)\nwebsockets.serve(f, 'x', 1, max_size=100)\n",
                &[2],
            )],
        );
    }
}
