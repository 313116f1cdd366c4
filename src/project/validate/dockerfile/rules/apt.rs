//! The interactive package manager.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-apt",
        Category::Maintainability,
        Severity::Low,
        "apt is made for people: its interface may change.",
        "use apt-get or apt-cache",
    ),
    hadolint: &["DL3027"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "apt") {
        sink.say(Place::line(command.line), "`apt` is used in a build");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nRUN apt install -y a\n", &[2]), ("FROM a:1\nRUN apt-get update\n", &[])],
        );
    }
}
