//! Changing the folder inside a command.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-cd-in-run",
        Category::Maintainability,
        Severity::Low,
        "A `cd` ends with its RUN, which readers overlook.",
        "use WORKDIR",
    ),
    hadolint: &["DL3003"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "cd") {
        sink.say(Place::line(command.line), "`cd` changes the folder for this instruction only");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nRUN cd /x && make\n", &[2]),
                ("FROM a:1\nRUN a && \\\n  cd b\n", &[3]),
                ("FROM a:1\nRUN x cd\n", &[]),
            ],
        );
    }
}
