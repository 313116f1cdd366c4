//! Clients that are never closed.

use super::DATABASES;
use super::prelude::*;

pub(super) const CHECK: Check<Code> = Check {
    rule: rule(
        "influxdb-not-closed",
        Category::Maintainability,
        Severity::Low,
        "What was not sent yet is lost when the program ends.",
        "use `with`, or call `close`",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    if code.mentions(&["close", "__exit__", "aclose", "flush"]) {
        return;
    }
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method()) && !call.managed) {
        sink.say(call.place, "the client is never closed");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("from influxdb_client import InfluxDBClient\nc = InfluxDBClient(url=u)\n", &[2]),
                ("from influxdb_client import InfluxDBClient\nwith InfluxDBClient(url=u) as c:\n    pass\n", &[]),
            ],
        );
    }
}
