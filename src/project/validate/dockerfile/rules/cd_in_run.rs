//! Changing the folder inside a command.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-cd-in-run",
    aliases: &["hadolint:DL3003"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "A `cd` ends with its RUN, which readers overlook.",
    help: "use WORKDIR",
    explanation: "Each `RUN` starts in the working directory again, so a `cd` ends with its line and the next line \
        runs somewhere else than a reader assumes. `WORKDIR` stays and is visible.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN cd /src && make
",
        good: "FROM debian:12.8
WORKDIR /src
RUN make
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_cd_in_run;

fn check_cd_in_run(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "cd") {
        sink.report_finding(FileLocation::line(command.line), "`cd` changes the folder for this instruction only");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nRUN cd /x && make\n", &[2]),
                ("FROM a:1\nRUN a && \\\n  cd b\n", &[3]),
                ("FROM a:1\nRUN x cd\n", &[]),
            ],
        );
    }
}
