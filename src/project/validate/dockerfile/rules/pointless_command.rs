//! Commands that make no sense during a build.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-pointless-command",
        Category::Maintainability,
        Severity::Low,
        "The command does nothing useful while an image is built.",
        "leave it out, or run it in the container",
    ),
    hadolint: &["DL3001"],
    run,
};

const POINTLESS: [&str; 11] =
    ["free", "kill", "mount", "ps", "service", "shutdown", "ssh", "systemctl", "top", "umount", "vim"];

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs() {
        if POINTLESS.contains(&command.name()) {
            sink.say(Place::line(command.line), format!("`{}` does nothing useful in a build", command.name()));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nRUN x && service y start\n", &[2]), ("FROM a:1\nRUN echo service\n", &[])],
        );
    }
}
