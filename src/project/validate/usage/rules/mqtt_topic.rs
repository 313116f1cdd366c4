//! Topics that cannot be.

use super::CLIENTS;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mqtt-topic",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The broker refuses the topic, or it is not the one that was meant.",
    help: "put wildcards on levels of their own, `#` last, and none into what is published",
    explanation: "`+` stands for one level and `#` for the rest, so each fills a level of its own, and `#` is the \
        last. In a topic that is published neither is allowed. A broker closes the connection for such a topic, and \
        all other subscriptions go with it.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.subscribe("home/#/temperature")
"#,
        good: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.subscribe("home/+/temperature")
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_mqtt_topic;

fn check_mqtt_topic(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.method_calls_on(&CLIENTS, &["mqtt", "client"], &["subscribe", "publish", "subscribeAsync", "publishAsync"]) {
        let Some(Argument::Text(topic)) = call.arguments.first().or_else(|| call.named("topic")) else { continue };
        let publishes = call.method().starts_with("publish");
        let wild = topic.contains(['#', '+']);
        let levels: Vec<&str> = topic.split('/').collect();
        let misplaced = levels
            .iter()
            .enumerate()
            .any(|(at, level)| level.len() > 1 && level.contains(['#', '+']) || *level == "#" && at + 1 < levels.len());
        if publishes && wild {
            sink.report_finding(call.place, format!("nothing can be published to `{topic}`"));
        } else if misplaced {
            sink.report_finding(call.place, format!("the wildcards in `{topic}` are in the wrong place"));
        } else if topic.is_empty() {
            sink.report_finding(call.place, "the topic is empty");
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
                "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.publish('a/+', 'x')\nc.subscribe('a/#/b')\nc.subscribe('a/b#')\nc.subscribe('a/+/b')\nc.publish('a/b', '#')\n",
                &[3, 4, 5],
            )],
        );
    }
}
