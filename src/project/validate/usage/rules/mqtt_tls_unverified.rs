//! Certificates of brokers that are not checked.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "mqtt-tls-unverified",
            Category::Security,
            Severity::High,
            "Whoever stands between can pretend to be the broker.",
            "leave verification on",
        ),
        "CWE-295",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in &code.calls {
        let insecure = call.method() == "tls_insecure_set" && call.arguments.first() == Some(&Argument::True);
        let script = call.named("rejectUnauthorized") == Some(&Argument::False) && call.receiver() == "mqtt";
        if insecure || script {
            sink.say(call.place, "the broker's certificate is not checked");
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
                "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.tls_insecure_set(True)\nc.tls_insecure_set(False)\n",
                &[3],
            )],
        );
    }
}
