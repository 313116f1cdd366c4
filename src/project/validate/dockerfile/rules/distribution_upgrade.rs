//! Upgrades of the whole distribution.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-distribution-upgrade",
    aliases: &["hadolint:DL3005", "hadolint:DL3035"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Upgrading the whole distribution gives another image each day.",
    help: "take a newer base image",
    explanation: "An upgrade of the whole distribution takes what is newest on the day, so two builds of one \
        Dockerfile differ, and packages may change that the base image relies on. Take a newer base image, whose \
        contents are known.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.7
RUN apt-get -y dist-upgrade
",
        good: "FROM debian:12.8
RUN make
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_distribution_upgrade;

fn check_distribution_upgrade(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs() {
        let upgrades = command.runs_action(&["apt-get", "apt"], &["dist-upgrade", "full-upgrade"])
            || command.runs_action(&["zypper"], &["dist-upgrade", "dup"]);
        if upgrades {
            sink.report_finding(FileLocation::line(command.line), format!("`{}` upgrades the whole distribution", command.name()));
        }
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
                ("FROM a:1\nRUN apt-get -y dist-upgrade\nRUN zypper dup\n", &[2, 3]),
                ("FROM a:1\nRUN apt-get upgrade\n", &[]),
            ],
        );
    }
}
