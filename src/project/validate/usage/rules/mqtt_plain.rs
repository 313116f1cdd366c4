//! Brokers reached without encryption.

use super::super::model::is_local;
use super::CLIENTS;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mqtt-plain",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Everybody on the way can read messages and passwords.",
    help: "call `tls_set`, or use mqtts:// and port 8883",
    explanation: "Port 1883 is MQTT without encryption: name, password and every message can be read and changed on \
        the way. Call `tls_set` and use port 8883; a broker on this machine may go without.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.connect("broker.example.com", 1883)
"#,
        good: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.tls_set()
client.connect("broker.example.com", 8883)
"#,
    }],
    cwe: Some("CWE-319"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_mqtt_plain;

fn check_mqtt_plain(code: &FileCalls, sink: &mut FindingSink<'_>) {
    if code.mentions(&["tls_set", "tls_set_context", "tls_params", "tls_context"]) {
        return;
    }
    for call in &code.calls {
        let address = call.all().filter_map(Argument::text).any(|text| text.starts_with("mqtt://") && !is_local(text));
        if address {
            sink.report_finding(call.place, "the broker is reached without encryption");
        }
    }
    for call in code.method_calls_on(&CLIENTS, &["mqtt", "client"], &["connect", "connect_async"]) {
        let host = call.arguments.first().or_else(|| call.named("host"));
        let port = call.arguments.get(1).or_else(|| call.named("port"));
        let remote = host.is_some_and(|host| host.text().is_none_or(|text| !text.contains("://") && !is_local(text)));
        if remote && matches!(port, None | Some(Argument::Number(1883))) {
            sink.report_finding(call.place, "the broker is reached without encryption");
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
                ("import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.connect('broker.io', 1883)\n", &[3]),
                (
                    "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.tls_set()\nc.connect('broker.io', 8883)\n",
                    &[],
                ),
                ("import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.connect('localhost', 1883)\n", &[]),
            ],
        );
    }
}
