//! Tokens written into the code.

use super::DATABASES;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "influxdb-inline-token",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever may read the code may read the database.",
    help: "read it from the environment",
    explanation: "A token in the code is known to everybody who may read the repository and stays in its history; with \
        it they may read or write the database. Read it from the environment or a secret store, and revoke the one \
        that was written here.",
    examples: &[Example {
        path: "example.py",
        bad: r#"from influxdb_client import InfluxDBClient

with InfluxDBClient(url="https://db.example.com", token="abc123", org="home") as client:
    client.ping()
"#,
        good: r#"import os

from influxdb_client import InfluxDBClient

with InfluxDBClient(url="https://db.example.com", token=os.environ["INFLUX_TOKEN"], org="home") as client:
    client.ping()
"#,
    }],
    cwe: Some("CWE-798"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_influxdb_inline_token;

fn check_influxdb_inline_token(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method())) {
        for name in ["token", "password"] {
            if let Some(Argument::Text(text)) = call.named(name)
                && !text.is_empty()
            {
                sink.report_finding(call.place, format!("the {name} is written here"));
            }
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
                "from influxdb_client import InfluxDBClient\nc = InfluxDBClient(url='https://x', token='abc')\nd = InfluxDBClient(url='https://x', token=os.environ['T'])\n",
                &[2],
            )],
        );
    }
}
