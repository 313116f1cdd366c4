//! Certificates of databases that are not checked.

use super::DATABASES;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "influxdb-tls-unverified",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever stands between can pretend to be the database.",
    help: "leave verification on",
    explanation: "`verify_ssl=False` accepts every certificate, so the encrypted connection may end at an attacker, \
        who gets the token with the first request. Leave the check on; for a certificate of your own authority give \
        `ssl_ca_cert`.",
    examples: &[Example {
        path: "example.py",
        bad: "from influxdb_client import InfluxDBClient

with InfluxDBClient(url=ADDRESS, token=TOKEN, verify_ssl=False) as client:
    client.ping()
",
        good: r#"from influxdb_client import InfluxDBClient

with InfluxDBClient(url=ADDRESS, token=TOKEN, ssl_ca_cert="authority.pem") as client:
    client.ping()
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_influxdb_tls_unverified;

fn check_influxdb_tls_unverified(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method())) {
        if call.named("verify_ssl") == Some(&Argument::False)
            || call.named("rejectUnauthorized") == Some(&Argument::False)
        {
            sink.report_finding(call.place, "the database's certificate is not checked");
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
                "from influxdb_client import InfluxDBClient\nInfluxDBClient(url=u, verify_ssl=False)\nInfluxDBClient(url=u, verify_ssl=True)\n",
                &[2],
            )],
        );
    }
}
