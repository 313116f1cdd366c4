//! Certificates of databases that are not checked.

use super::DATABASES;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "influxdb-tls-unverified",
            Category::Security,
            Severity::High,
            "Whoever stands between can pretend to be the database.",
            "leave verification on",
        ),
        "CWE-295",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method())) {
        if call.named("verify_ssl") == Some(&Argument::False)
            || call.named("rejectUnauthorized") == Some(&Argument::False)
        {
            sink.say(call.place, "the database's certificate is not checked");
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
                "from influxdb_client import InfluxDBClient\nInfluxDBClient(url=u, verify_ssl=False)\nInfluxDBClient(url=u, verify_ssl=True)\n",
                &[2],
            )],
        );
    }
}
