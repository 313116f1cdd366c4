//! Downloads that fill the log.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-wget-progress",
        Category::Maintainability,
        Severity::Info,
        "wget's progress bar fills the log of the build.",
        "add `--progress=dot:giga` or `-nv`",
    ),
    hadolint: &["DL3047"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "wget") {
        let quiet = command.arguments().iter().any(|word| {
            word.starts_with("--progress")
                || matches!(word.as_str(), "--quiet" | "--no-verbose" | "-nv" | "-o" | "-a")
                || word.starts_with("--output-file")
                || word.starts_with("--append-output")
        });
        if !quiet && !command.has_short('q') {
            sink.say(Place::line(command.line), "`wget` writes its progress into the log");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nRUN wget https://x\n", &[2]), ("FROM a:1\nRUN wget -qO- https://x\n", &[])],
        );
    }
}
