//! Qualities of service that do not exist.

use super::CLIENTS;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mqtt-quality",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "There are the qualities of service 0, 1 and 2.",
    help: "use 0, 1 or 2",
    explanation: "MQTT knows three qualities of service: 0 (at most once), 1 (at least once) and 2 (exactly once). The \
        client raises an error for any other number, at the moment the message is to be sent.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.publish("home/door", "open", qos=3)
"#,
        good: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.publish("home/door", "open", qos=1)
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_mqtt_quality;

fn check_mqtt_quality(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.method_calls_on(&CLIENTS, &["mqtt", "client"], &["subscribe", "publish", "will_set"]) {
        if let Some(Argument::Number(quality)) = call.named("qos")
            && !(0..=2).contains(quality)
        {
            sink.report_finding(call.place, format!("there is no quality of service {quality}"));
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
                "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.publish('a', 'x', qos=3)\nc.publish('a', 'x', qos=2)\n",
                &[3],
            )],
        );
    }
}
