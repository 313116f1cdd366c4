//! Brokers that ask for no name.

use super::super::model::is_local;
use super::CLIENTS;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mqtt-no-credentials",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "A broker that asks for no name obeys everybody.",
    help: "call `username_pw_set`, or use certificates",
    explanation: "A broker that lets everybody in lets everybody switch the devices and read what they report. Give \
        the client a name and password with `username_pw_set`, or a certificate with `tls_set`, and let the broker \
        demand it.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.connect("broker.example.com", 8883)
"#,
        good: r#"import os

import paho.mqtt.client as mqtt

client = mqtt.Client()
client.username_pw_set("sensor", os.environ["MQTT_PASSWORD"])
client.connect("broker.example.com", 8883)
"#,
    }],
    cwe: Some("CWE-306"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_mqtt_no_credentials;

fn check_mqtt_no_credentials(code: &FileCalls, sink: &mut FindingSink<'_>) {
    if code.mentions(&["username_pw_set", "username", "password", "tls_set", "certfile", "cert"]) {
        return;
    }
    for call in code.method_calls_on(&CLIENTS, &["mqtt", "client"], &["connect", "connect_async"]) {
        let host = call.arguments.first().or_else(|| call.named("host"));
        let named = call.named.iter().any(|(name, _)| name == "username" || name == "password");
        if !named && host.is_some_and(|host| host.text().is_none_or(|text| !is_local(text))) {
            sink.report_finding(call.place, "the client connects without a name");
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
                ("import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.connect('broker.io')\n", &[3]),
                (
                    "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.username_pw_set(a, b)\nc.connect('broker.io')\n",
                    &[],
                ),
            ],
        );
    }
}
