//! Points written one by one.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "influxdb-write-in-loop",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Each point is a request of its own.",
    help: "collect the points and write them at once",
    explanation: "Each write is a request with its own round trip and its own work for the server; a thousand points \
        one by one take a thousand times as long as one batch. Collect the points and write the list.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import influxdb_client


def store(write_api, points):
    for point in points:
        write_api.write("home", "me", point)
"#,
        good: r#"import influxdb_client


def store(write_api, points):
    write_api.write("home", "me", points)
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_influxdb_write_in_loop;

fn check_influxdb_write_in_loop(code: &FileCalls, sink: &mut FindingSink<'_>) {
    // A client that batches collects the points itself.
    if code.mentions(&["WriteOptions", "batch_size", "batching"]) {
        return;
    }
    for call in code.calls.iter().filter(|call| call.in_loop) {
        let receiver = call.receiver().to_ascii_lowercase();
        let writes = call.method() == "write_points"
            || call.method() == "write" && (receiver.contains("write_api") || receiver.contains("influx"));
        if writes {
            sink.report_finding(call.place, "each round of the loop writes to the database");
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
                "import influxdb_client\nfor p in ps:\n    write_api.write(bucket, org, p)\nwrite_api.write(bucket, org, ps)\n",
                &[3],
            )],
        );
    }
}
