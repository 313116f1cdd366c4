//! Becoming root by sudo.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-sudo",
    aliases: &["hadolint:DL3004"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "With sudo it is unclear who runs what, and it leaves a way to root in the image.",
    help: "set USER before the command",
    explanation: "During a build the commands run as root anyway, or as the last `USER`. sudo hides who runs what, \
        treats signals in its own way and stays in the image as a path to root. Set `USER` before the command instead.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN sudo make install
",
        good: "FROM debian:12.8
USER root
RUN make install
USER 1000
",
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_sudo;

fn check_sudo(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "sudo") {
        sink.report_finding(FileLocation::line(command.line), "`sudo` is used in a build");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[("FROM a:1\nRUN sudo x\n", &[2]), ("FROM a:1\nRUN apt-get install -y sudo\n", &[])],
        );
    }
}
