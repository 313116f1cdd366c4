//! Instructions without an image.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-before-from",
    aliases: &["hadolint:DL3061"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Before the first FROM only ARG may stand.",
    help: "begin with FROM",
    explanation: "A Dockerfile begins with the image it stands on; only `ARG` may come before, to choose that image. \
        Everything else there stops the build. Move it below the `FROM` it belongs to.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "RUN echo building
FROM debian:12.8
",
        good: "ARG VERSION=12.8
FROM debian:$VERSION
RUN echo building
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_before_from;

fn check_before_from(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    let first = file.instructions.first();
    let none = file.stages.is_empty() && first.is_none_or(|instruction| instruction.is("ARG"));
    if none {
        sink.report_finding(FileLocation::FILE, "there is no FROM");
    }
    // What follows a wrong start is no longer wrong by itself.
    let early = file.instructions.iter().find(|instruction| instruction.stage.is_none() && !instruction.is("ARG"));
    if let Some(early) = early {
        sink.report_finding(early.place, format!("{} stands before the first FROM", early.keyword));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[("RUN x\nFROM a:1\n", &[1]), ("", &[0]), ("ARG A=1\nFROM a:$A\n", &[])],
        );
    }
}
