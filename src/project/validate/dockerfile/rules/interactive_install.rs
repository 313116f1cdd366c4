//! Installations that wait for an answer.

use super::super::shell::ShellCommand;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-interactive-install",
    aliases: &["hadolint:DL3014", "hadolint:DL3030", "hadolint:DL3034", "hadolint:DL3038"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The package manager asks a question that nobody answers, and the build stops.",
    help: "add the flag that says yes, as `-y`",
    explanation: "The package manager asks whether it may go on, and during a build nobody answers: it stops with an \
        error. `-y` (for zypper `-n`) says yes beforehand.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN apt-get install curl=7.88.1-10
",
        good: "FROM debian:12.8
RUN apt-get install -y curl=7.88.1-10
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_interactive_install;

fn check_interactive_install(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs() {
        let asks = match command.name() {
            "apt-get" => {
                command.runs_action(&["apt-get"], &["install"])
                    && !is_quiet(command)
                    && !command.has_argument(&["--yes", "--assume-yes"])
            }
            "yum" | "dnf" => {
                command.runs_action(&["yum", "dnf"], &["install", "groupinstall", "localinstall"])
                    && !command.has_argument(&["--assumeyes"])
            }
            "zypper" => {
                command.runs_action(&["zypper"], &["install", "in", "remove", "rm", "source-install", "si", "patch"])
                    && !command.has_argument(&["--no-confirm", "--non-interactive"])
                    && !command.has_short('n')
            }
            _ => false,
        };
        if asks && !command.has_short('y') {
            sink.report_finding(FileLocation::line(command.line), format!("`{}` waits for an answer", command.name()));
        }
    }
}

/// `-qq`, also as two flags, answers yes.
fn is_quiet(command: &ShellCommand) -> bool {
    let letters = command.arguments().iter().filter(|word| word.starts_with('-') && !word.starts_with("--"));
    letters.map(|word| word.matches('q').count()).sum::<usize>() >= 2 || command.has_argument(&["-q=2"])
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nRUN apt-get install a=1\nRUN yum install a-1\nRUN zypper in a=1\n", &[2, 3, 4]),
                ("FROM a:1\nRUN apt-get -qq install a=1 && dnf -y install b && zypper -n in c\n", &[]),
            ],
        );
    }
}
