//! Subscriptions to everything.

use super::CLIENTS;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mqtt-everything",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Every message of the broker is delivered.",
    help: "subscribe to the topics that are needed",
    explanation: "`#` subscribes to every topic of the broker. All messages of all devices are delivered and thrown \
        away again here, today a few and later thousands a second, and the client learns what does not concern it. \
        Subscribe to the topics that are needed.",
    examples: &[Example {
        path: "example.py",
        bad: r##"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.subscribe("#")
"##,
        good: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.subscribe("home/kitchen/#")
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_mqtt_everything;

fn check_mqtt_everything(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.method_calls_on(&CLIENTS, &["mqtt", "client"], &["subscribe", "subscribeAsync"]) {
        let topic = call.arguments.first().or_else(|| call.named("topic")).and_then(Argument::text);
        if topic.is_some_and(|topic| matches!(topic, "#" | "+/#" | "/#")) {
            sink.report_finding(call.place, "the subscription is to every topic");
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
            &[("import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.subscribe('#')\nc.subscribe('a/#')\n", &[3])],
        );
    }
}
