//! Databases reached without encryption.

use super::super::model::is_local;
use super::DATABASES;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "influxdb-plain",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Everybody on the way can read data and token.",
    help: "use https",
    explanation: "Over http the token travels in clear text with each request, and everybody on the way can read it, \
        read the data and change it. Use https; a database on this machine may go without.",
    examples: &[Example {
        path: "example.py",
        bad: r#"from influxdb_client import InfluxDBClient

with InfluxDBClient(url="http://db.example.com:8086", token=TOKEN) as client:
    client.ping()
"#,
        good: r#"from influxdb_client import InfluxDBClient

with InfluxDBClient(url="https://db.example.com", token=TOKEN) as client:
    client.ping()
"#,
    }],
    cwe: Some("CWE-319"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_influxdb_plain;

fn check_influxdb_plain(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method())) {
        let plain = |text: &&str| text.starts_with("http://") && !is_local(text);
        if call.all().filter_map(Argument::text).any(|text| plain(&text)) {
            sink.report_finding(call.place, "the database is reached without encryption");
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
                "from influxdb_client import InfluxDBClient\nInfluxDBClient(url='http://db.io', token=t)\nInfluxDBClient(url='http://localhost:8086', token=t)\n",
                &[2],
            )],
        );
    }
}
