//! Topics that cannot be.

use super::CLIENTS;
use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "mqtt-topic",
        Category::Maintainability,
        Severity::High,
        "The broker refuses the topic, or it is not the one that was meant.",
        "put wildcards on levels of their own, `#` last, and none into what is published",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in code.on(&CLIENTS, &["mqtt", "client"], &["subscribe", "publish", "subscribeAsync", "publishAsync"]) {
        let Some(Argument::Text(topic)) = call.arguments.first().or_else(|| call.named("topic")) else { continue };
        let publishes = call.method().starts_with("publish");
        let wild = topic.contains(['#', '+']);
        let levels: Vec<&str> = topic.split('/').collect();
        let misplaced = levels
            .iter()
            .enumerate()
            .any(|(at, level)| level.len() > 1 && level.contains(['#', '+']) || *level == "#" && at + 1 < levels.len());
        if publishes && wild {
            sink.say(call.place, format!("nothing can be published to `{topic}`"));
        } else if misplaced {
            sink.say(call.place, format!("the wildcards in `{topic}` are in the wrong place"));
        } else if topic.is_empty() {
            sink.say(call.place, "the topic is empty");
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
                "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.publish('a/+', 'x')\nc.subscribe('a/#/b')\nc.subscribe('a/b#')\nc.subscribe('a/+/b')\nc.publish('a/b', '#')\n",
                &[3, 4, 5],
            )],
        );
    }
}
