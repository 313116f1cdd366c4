//! Words that are no instruction.

use super::prelude::*;
use tapps_base::nearest;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-unknown-instruction",
        Category::Maintainability,
        Severity::High,
        "Builders stop at an instruction they do not know.",
        "correct the word",
    ),
    hadolint: &["DL1000"],
    run,
};

const KNOWN: [&str; 18] = [
    "ADD",
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "ONBUILD",
    "RUN",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
];

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for instruction in file.instructions.iter().filter(|instruction| !KNOWN.contains(&instruction.keyword.as_str())) {
        let hint = nearest::names(&instruction.keyword, KNOWN);
        let meant = hint.first().map(|word| format!("; did you mean {word}?")).unwrap_or_default();
        sink.say(instruction.place, format!("`{}` is no instruction{meant}", instruction.keyword));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("FROM a:1\nRUNN x\n", &[2]), ("from a:1\nrun x\n", &[])]);
    }
}
