//! Tokens written into the code.

use super::DATABASES;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "influxdb-inline-token",
            Category::Security,
            Severity::High,
            "Whoever may read the code may read the database.",
            "read it from the environment",
        ),
        "CWE-798",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in code.calls.iter().filter(|call| DATABASES.contains(&call.method())) {
        for name in ["token", "password"] {
            if let Some(Argument::Text(text)) = call.named(name)
                && !text.is_empty()
            {
                sink.say(call.place, format!("the {name} is written here"));
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
                "from influxdb_client import InfluxDBClient\nc = InfluxDBClient(url='https://x', token='abc')\nd = InfluxDBClient(url='https://x', token=os.environ['T'])\n",
                &[2],
            )],
        );
    }
}
