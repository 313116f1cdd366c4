//! Queries over all of time.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "influxdb-unbounded-query",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The query reads everything that was ever stored.",
    help: "add `range(start: ...)`, or WHERE time",
    explanation: "A time-series database grows every second. A query without a time reads all of it, today in a moment \
        and in a year not at all, and Flux refuses it outright. Say from when: `range(start: -1h)`, or `WHERE time > \
        now() - 1h`.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import influxdb_client


def readings(query_api):
    return query_api.query('from(bucket: "home")')
"#,
        good: r#"import influxdb_client


def readings(query_api):
    return query_api.query('from(bucket: "home") |> range(start: -1h)')
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_influxdb_unbounded_query;

fn check_influxdb_unbounded_query(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.calls.iter().filter(|call| call.method().starts_with("query")) {
        for text in call.all().filter_map(Argument::text) {
            let flux = text.contains("from(bucket") && !text.contains("range(");
            let upper = text.to_ascii_uppercase();
            let sql = upper.contains("SELECT ")
                && upper.contains(" FROM ")
                && !upper.contains("WHERE")
                && !upper.contains("LIMIT");
            if flux || sql {
                sink.report_finding(call.place, "the query has no range of time");
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
                "import influxdb_client\nq.query('from(bucket: \"a\")')\nq.query('SELECT * FROM x')\nq.query('SELECT * FROM x WHERE time > now() - 1h')\n",
                &[2, 3],
            )],
        );
    }
}
