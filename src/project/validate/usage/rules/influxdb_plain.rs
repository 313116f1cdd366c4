//! Databases reached without encryption.

use super::super::model::is_local;
use super::DATABASES;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "influxdb-plain",
            Category::Security,
            Severity::Medium,
            "Everybody on the way can read data and token.",
            "use https",
        ),
        "CWE-319",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method())) {
        let plain = |text: &&str| text.starts_with("http://") && !is_local(text);
        if call.all().filter_map(Argument::text).any(|text| plain(&text)) {
            sink.say(call.place, "the database is reached without encryption");
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
                "from influxdb_client import InfluxDBClient\nInfluxDBClient(url='http://db.io', token=t)\nInfluxDBClient(url='http://localhost:8086', token=t)\n",
                &[2],
            )],
        );
    }
}
