//! Clients whose network loop never runs.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mqtt-no-loop",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Without a loop nothing is sent or received.",
    help: "call `loop_start` or `loop_forever`",
    explanation: "Everything the client sends and receives passes through its network loop, also the answer to \
        `connect`. Without `loop_start`, `loop_forever` or calls of `loop` the message stays in memory and no callback \
        is ever called, with no error at all.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.connect("localhost")
client.publish("home/door", "open")
"#,
        good: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.connect("localhost")
client.loop_start()
client.publish("home/door", "open")
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_mqtt_no_loop;

fn check_mqtt_no_loop(code: &FileCalls, sink: &mut FindingSink<'_>) {
    if code.mentions(&["loop_start", "loop_forever", "loop", "loop_read", "loop_misc"]) {
        return;
    }
    for call in code.method_calls_on(&["Client"], &[], &["connect", "connect_async"]) {
        if code.mentions(&["mqtt"]) {
            sink.report_finding(call.place, "the client's loop is never run");
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
