//! Becoming root by sudo.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: weakness(
        rule(
            "docker-sudo",
            Category::Security,
            Severity::Medium,
            "With sudo it is unclear who runs what, and it leaves a way to root in the image.",
            "set USER before the command",
        ),
        "CWE-250",
    ),
    hadolint: &["DL3004"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "sudo") {
        sink.say(Place::line(command.line), "`sudo` is used in a build");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nRUN sudo x\n", &[2]), ("FROM a:1\nRUN apt-get install -y sudo\n", &[])],
        );
    }
}
