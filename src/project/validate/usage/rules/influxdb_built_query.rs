//! Queries put together from values.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "influxdb-built-query",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever chooses the value writes the query.",
    help: "pass values as `params`",
    explanation: "A value that is written into a Flux or InfluxQL query becomes part of the query: with the right \
        characters in it, it reads another bucket or deletes data. Query clients take values apart from the text, as \
        `params`.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import influxdb_client


def temperature(query_api, sensor):
    return query_api.query(f'from(bucket: "home") |> range(start: -1h) |> filter(fn: (r) => r.sensor == "{sensor}")')
"#,
        good: r#"import influxdb_client

QUERY = 'from(bucket: "home") |> range(start: -1h) |> filter(fn: (r) => r.sensor == sensor)'


def temperature(query_api, sensor):
    return query_api.query(QUERY, params={"sensor": sensor})
"#,
    }],
    cwe: Some("CWE-943"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<FileCalls> = check_influxdb_built_query;

fn check_influxdb_built_query(code: &FileCalls, sink: &mut FindingSink<'_>) {
    for call in code.calls.iter().filter(|call| {
        matches!(
            call.method(),
            "query"
                | "query_stream"
                | "query_raw"
                | "query_data_frame"
                | "queryRaw"
                | "queryRows"
                | "collectRows"
                | "delete"
        )
    }) {
        let query = call.arguments.first().or_else(|| call.named("query"));
        if let Some(Argument::Built(text)) = query
            && ["from(", "SELECT", "select", "|>", "DELETE", "FROM"].iter().any(|word| text.contains(word))
        {
            sink.report_finding(call.place, "the query is put together from values");
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
                "import influxdb_client\nq.query(f'from(bucket: \"{b}\") |> range(start: -1h)')\nq.query('from(bucket: \"a\") |> range(start: -1h)')\nq.query('SELECT ' + x)\n",
                &[2, 4],
            )],
        );
    }
}
