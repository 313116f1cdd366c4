//! The interactive package manager.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-apt",
    aliases: &["hadolint:DL3027"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "apt is made for people: its interface may change.",
    help: "use apt-get or apt-cache",
    explanation: "`apt` is the front end for people: it says itself that its output and options may change between \
        versions. Scripts use `apt-get` and `apt-cache`, which stay as they are.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN apt update
",
        good: "FROM debian:12.8
RUN apt-get update && rm -rf /var/lib/apt/lists/*
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_apt;

fn check_apt(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "apt") {
        sink.report_finding(FileLocation::line(command.line), "`apt` is used in a build");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[("FROM a:1\nRUN apt install -y a\n", &[2]), ("FROM a:1\nRUN apt-get update\n", &[])],
        );
    }
}
