//! Brokers that ask for no name.

use super::super::model::is_local;
use super::CLIENTS;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "mqtt-no-credentials",
            Category::Security,
            Severity::Low,
            "A broker that asks for no name obeys everybody.",
            "call `username_pw_set`, or use certificates",
        ),
        "CWE-306",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    if code.mentions(&["username_pw_set", "username", "password", "tls_set", "certfile", "cert"]) {
        return;
    }
    for call in code.on(&CLIENTS, &["mqtt", "client"], &["connect", "connect_async"]) {
        let host = call.arguments.first().or_else(|| call.named("host"));
        let named = call.named.iter().any(|(name, _)| name == "username" || name == "password");
        if !named && host.is_some_and(|host| host.text().is_none_or(|text| !is_local(text))) {
            sink.say(call.place, "the client connects without a name");
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
                ("import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.connect('broker.io')\n", &[3]),
                (
                    "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.username_pw_set(a, b)\nc.connect('broker.io')\n",
                    &[],
                ),
            ],
        );
    }
}
