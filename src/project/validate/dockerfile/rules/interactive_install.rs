//! Installations that wait for an answer.

use super::super::shell::Command;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-interactive-install",
        Category::Maintainability,
        Severity::Medium,
        "The package manager asks a question that nobody answers, and the build stops.",
        "add the flag that says yes, as `-y`",
    ),
    hadolint: &["DL3014", "DL3030", "DL3034", "DL3038"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs() {
        let asks = match command.name() {
            "apt-get" => {
                command.does(&["apt-get"], &["install"])
                    && !is_quiet(command)
                    && !command.has(&["--yes", "--assume-yes"])
            }
            "yum" | "dnf" => {
                command.does(&["yum", "dnf"], &["install", "groupinstall", "localinstall"])
                    && !command.has(&["--assumeyes"])
            }
            "zypper" => {
                command.does(&["zypper"], &["install", "in", "remove", "rm", "source-install", "si", "patch"])
                    && !command.has(&["--no-confirm", "--non-interactive"])
                    && !command.has_short('n')
            }
            _ => false,
        };
        if asks && !command.has_short('y') {
            sink.say(Place::line(command.line), format!("`{}` waits for an answer", command.name()));
        }
    }
}

/// `-qq`, also as two flags, answers yes.
fn is_quiet(command: &Command) -> bool {
    let letters = command.arguments().iter().filter(|word| word.starts_with('-') && !word.starts_with("--"));
    letters.map(|word| word.matches('q').count()).sum::<usize>() >= 2 || command.has(&["-q=2"])
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nRUN apt-get install a=1\nRUN yum install a-1\nRUN zypper in a=1\n", &[2, 3, 4]),
                ("FROM a:1\nRUN apt-get -qq install a=1 && dnf -y install b && zypper -n in c\n", &[]),
            ],
        );
    }
}
