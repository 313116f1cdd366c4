//! Clients that are never closed.

use super::DATABASES;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "influxdb-not-closed",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "What was not sent yet is lost when the program ends.",
    help: "use `with`, or call `close`",
    explanation: "The client collects points and sends them in batches from a thread of its own. A program that ends \
        without closing it loses the last batch, and one that makes many of them runs out of connections. Use `with`, \
        or call `close`.",
    examples: &[Example {
        path: "example.py",
        bad: "from influxdb_client import InfluxDBClient

client = InfluxDBClient.from_env_properties()
database = InfluxDBClient(url=ADDRESS)
",
        good: "from influxdb_client import InfluxDBClient

with InfluxDBClient(url=ADDRESS) as client:
    client.ping()
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_influxdb_not_closed;

fn check_influxdb_not_closed(code: &FileCalls, sink: &mut FindingSink<'_>) {
    if code.mentions(&["close", "__exit__", "aclose", "flush"]) {
        return;
    }
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method()) && !call.managed) {
        sink.report_finding(call.place, "the client is never closed");
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
                ("from influxdb_client import InfluxDBClient\nc = InfluxDBClient(url=u)\n", &[2]),
                ("from influxdb_client import InfluxDBClient\nwith InfluxDBClient(url=u) as c:\n    pass\n", &[]),
            ],
        );
    }
}
