//! Certificates of brokers that are not checked.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mqtt-tls-unverified",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever stands between can pretend to be the broker.",
    help: "leave verification on",
    explanation: "`tls_insecure_set(True)` accepts a certificate made out to any name, so the connection may end at \
        somebody who poses as the broker and receives the password. Leave the check on and give your authority's \
        certificate to `tls_set(ca_certs=...)`.",
    examples: &[Example {
        path: "example.py",
        bad: "import paho.mqtt.client as mqtt

client = mqtt.Client()
client.tls_set()
client.tls_insecure_set(True)
",
        good: r#"import paho.mqtt.client as mqtt

client = mqtt.Client()
client.tls_set(ca_certs="authority.pem")
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_mqtt_tls_unverified;

fn check_mqtt_tls_unverified(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in &code.calls {
        let insecure = call.method() == "tls_insecure_set" && call.arguments.first() == Some(&Argument::True);
        let script = call.named("rejectUnauthorized") == Some(&Argument::False) && call.receiver() == "mqtt";
        if insecure || script {
            sink.report_finding(call.place, "the broker's certificate is not checked");
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
                "import paho.mqtt.client as mqtt\nc = mqtt.Client()\nc.tls_insecure_set(True)\nc.tls_insecure_set(False)\n",
                &[3],
            )],
        );
    }
}
