//! Secrets in arguments and variables of a build.

use super::prelude::*;
use crate::validate::secret_value;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: weakness(
        rule(
            "docker-secret-in-build",
            Category::Security,
            Severity::High,
            "Build arguments and variables stay readable in the image.",
            "mount it: `RUN --mount=type=secret,id=...`",
        ),
        "CWE-522",
    ),
    hadolint: &["DL3064"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for instruction in file.instructions.iter().filter(|i| matches!(i.keyword.as_str(), "ARG" | "ENV")) {
        for (name, value) in instruction.pairs() {
            if secret_value::is_secret_name(name)
                && !(instruction.is("ENV") && secret_value::points_elsewhere(name, value))
            {
                sink.say(instruction.place, format!("`{name}` looks like a secret and stays in the image"));
                break;
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
            &[
                ("FROM a:1\nARG NPM_TOKEN\nENV DB_PASSWORD=x API=1\n", &[2, 3]),
                ("FROM a:1\nENV TOKENIZERS_PARALLELISM=1\nARG VERSION\n", &[]),
            ],
        );
    }
}
