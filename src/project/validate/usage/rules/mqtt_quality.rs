//! Qualities of service that do not exist.

use super::CLIENTS;
use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "mqtt-quality",
        Category::Maintainability,
        Severity::High,
        "There are the qualities of service 0, 1 and 2.",
        "use 0, 1 or 2",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in code.on(&CLIENTS, &["mqtt", "client"], &["subscribe", "publish", "will_set"]) {
        if let Some(Argument::Number(quality)) = call.named("qos")
            && !(0..=2).contains(quality)
        {
            sink.say(call.place, format!("there is no quality of service {quality}"));
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
                "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.publish('a', 'x', qos=3)\nc.publish('a', 'x', qos=2)\n",
                &[3],
            )],
        );
    }
}
