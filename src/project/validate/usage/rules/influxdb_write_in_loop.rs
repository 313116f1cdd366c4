//! Points written one by one.

use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "influxdb-write-in-loop",
        Category::Performance,
        Severity::Medium,
        "Each point is a request of its own.",
        "collect the points and write them at once",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    // A client that batches collects the points itself.
    if code.mentions(&["WriteOptions", "batch_size", "batching"]) {
        return;
    }
    for call in code.calls.iter().filter(|call| call.in_loop) {
        let receiver = call.receiver().to_ascii_lowercase();
        let writes = call.method() == "write_points"
            || call.method() == "write" && (receiver.contains("write_api") || receiver.contains("influx"));
        if writes {
            sink.say(call.place, "each round of the loop writes to the database");
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
                "import influxdb_client\nfor p in ps:\n    write_api.write(bucket, org, p)\nwrite_api.write(bucket, org, ps)\n",
                &[3],
            )],
        );
    }
}
