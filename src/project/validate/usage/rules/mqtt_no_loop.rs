//! Clients whose network loop never runs.

use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "mqtt-no-loop",
        Category::Maintainability,
        Severity::Medium,
        "Without a loop nothing is sent or received.",
        "call `loop_start` or `loop_forever`",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    if code.mentions(&["loop_start", "loop_forever", "loop", "loop_read", "loop_misc"]) {
        return;
    }
    for call in code.on(&["Client"], &[], &["connect", "connect_async"]) {
        if code.mentions(&["mqtt"]) {
            sink.say(call.place, "the client's loop is never run");
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
                    "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.connect('localhost')\nc.publish('a', 'b')\n",
                    &[3],
                ),
                ("import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.connect('localhost')\nc.loop_forever()\n", &[]),
            ],
        );
    }
}
