//! Subscriptions to everything.

use super::CLIENTS;
use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "mqtt-everything",
        Category::Performance,
        Severity::Medium,
        "Every message of the broker is delivered.",
        "subscribe to the topics that are needed",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in code.on(&CLIENTS, &["mqtt", "client"], &["subscribe", "subscribeAsync"]) {
        let topic = call.arguments.first().or_else(|| call.named("topic")).and_then(Argument::text);
        if topic.is_some_and(|topic| matches!(topic, "#" | "+/#" | "/#")) {
            sink.say(call.place, "the subscription is to every topic");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.subscribe('#')\nc.subscribe('a/#')\n", &[3])],
        );
    }
}
