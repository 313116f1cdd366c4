//! The shell replaced by a link.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-linked-shell",
        Category::Maintainability,
        Severity::Low,
        "Replacing /bin/sh surprises everything that relies on it.",
        "use SHELL",
    ),
    hadolint: &["DL4005"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "ln") {
        if command.has(&["/bin/sh"]) {
            sink.say(Place::line(command.line), "/bin/sh is replaced");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nRUN ln -sf /bin/bash /bin/sh\n", &[2]), ("FROM a:1\nRUN ln -s /bin/a /bin/b\n", &[])],
        );
    }
}
