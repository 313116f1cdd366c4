//! Packages that nobody asked for.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-recommended-packages",
        Category::Maintainability,
        Severity::Info,
        "apt-get also installs what packages merely recommend.",
        "add `--no-install-recommends`",
    ),
    hadolint: &["DL3015"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs() {
        let lean =
            command.has(&["--no-install-recommends", "APT::Install-Recommends=false", "APT::Install-Recommends=0"]);
        if command.does(&["apt-get"], &["install"]) && !lean {
            sink.say(Place::line(command.line), "recommended packages are installed too");
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
                ("FROM a:1\nRUN apt-get install -y a=1\n", &[2]),
                ("FROM a:1\nRUN apt-get install -y --no-install-recommends a=1\n", &[]),
            ],
        );
    }
}
