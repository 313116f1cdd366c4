//! Queries over all of time.

use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "influxdb-unbounded-query",
        Category::Performance,
        Severity::Medium,
        "The query reads everything that was ever stored.",
        "add `range(start: ...)`, or WHERE time",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in code.calls.iter().filter(|call| call.method().starts_with("query")) {
        for text in call.all().filter_map(Argument::text) {
            let flux = text.contains("from(bucket") && !text.contains("range(");
            let upper = text.to_ascii_uppercase();
            let sql = upper.contains("SELECT ")
                && upper.contains(" FROM ")
                && !upper.contains("WHERE")
                && !upper.contains("LIMIT");
            if flux || sql {
                sink.say(call.place, "the query has no range of time");
            }
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
                "import influxdb_client\nq.query('from(bucket: \"a\")')\nq.query('SELECT * FROM x')\nq.query('SELECT * FROM x WHERE time > now() - 1h')\n",
                &[2, 3],
            )],
        );
    }
}
