//! Words that are no instruction.

use super::prelude::*;
use tapps_base::nearest;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-unknown-instruction",
    aliases: &["hadolint:DL1000"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Builders stop at an instruction they do not know.",
    help: "correct the word",
    explanation: "The first word of a line has to be an instruction that builders know; at any other they stop. Mostly \
        it is a typing mistake, or the backslash at the end of the line above is missing.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUM make
",
        good: "FROM debian:12.8
RUN make
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_unknown_instruction;

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

fn check_unknown_instruction(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for instruction in file.instructions.iter().filter(|instruction| !KNOWN.contains(&instruction.keyword.as_str())) {
        let hint = nearest::names(&instruction.keyword, KNOWN);
        let meant = hint.first().map(|word| format!("; did you mean {word}?")).unwrap_or_default();
        sink.report_finding(instruction.place, format!("`{}` is no instruction{meant}", instruction.keyword));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(&super::RULE, super::RUN, &[("FROM a:1\nRUNN x\n", &[2]), ("from a:1\nrun x\n", &[])]);
    }
}
