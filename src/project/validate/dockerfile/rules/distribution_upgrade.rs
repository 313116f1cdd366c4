//! Upgrades of the whole distribution.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-distribution-upgrade",
        Category::Maintainability,
        Severity::Medium,
        "Upgrading the whole distribution gives another image each day.",
        "take a newer base image",
    ),
    hadolint: &["DL3005", "DL3035"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs() {
        let upgrades = command.does(&["apt-get", "apt"], &["dist-upgrade", "full-upgrade"])
            || command.does(&["zypper"], &["dist-upgrade", "dup"]);
        if upgrades {
            sink.say(Place::line(command.line), format!("`{}` upgrades the whole distribution", command.name()));
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
                ("FROM a:1\nRUN apt-get -y dist-upgrade\nRUN zypper dup\n", &[2, 3]),
                ("FROM a:1\nRUN apt-get upgrade\n", &[]),
            ],
        );
    }
}
