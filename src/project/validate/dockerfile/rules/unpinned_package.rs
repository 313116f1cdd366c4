//! Packages installed without a version.

use super::super::install::Installation;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-unpinned-package",
        Category::Maintainability,
        Severity::Low,
        "A package without a version is another one each day.",
        "fix the version, or take versions from a lock file",
    ),
    hadolint: &["DL3008", "DL3013", "DL3016", "DL3018", "DL3028", "DL3033", "DL3037", "DL3041", "DL3062"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs() {
        let Some(installation) = Installation::of(command) else { continue };
        let loose = installation.unpinned();
        // `apt` is a rule of its own.
        if loose.is_empty() || command.name() == "apt" {
            continue;
        }
        let manager = installation.manager;
        let message =
            format!("{} installs {} without a version (as `{}`)", manager.name, loose.join(", "), manager.example);
        sink.say(Place::line(command.line), message);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nRUN apt-get update && \\\n  apt-get install -y a\nRUN npm i x\n", &[3, 4]),
                ("FROM a:1\nRUN pip install a==1 -r r.txt\n", &[]),
            ],
        );
    }
}
