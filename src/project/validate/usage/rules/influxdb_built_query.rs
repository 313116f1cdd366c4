//! Queries put together from values.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "influxdb-built-query",
            Category::Security,
            Severity::High,
            "Whoever chooses the value writes the query.",
            "pass values as `params`",
        ),
        "CWE-943",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
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
            sink.say(call.place, "the query is put together from values");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[(
                "import influxdb_client\nq.query(f'from(bucket: \"{b}\") |> range(start: -1h)')\nq.query('from(bucket: \"a\") |> range(start: -1h)')\nq.query('SELECT ' + x)\n",
                &[2, 4],
            )],
        );
    }
}
