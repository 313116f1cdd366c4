//! Triggers that cannot be.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-onbuild-forbidden",
    aliases: &["hadolint:DL3043"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "ONBUILD cannot trigger FROM, MAINTAINER or another ONBUILD.",
    help: "leave it out",
    explanation: "`ONBUILD` keeps an instruction for images that are built upon this one. `FROM`, `MAINTAINER` and \
        `ONBUILD` cannot be kept, and the builder refuses them.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
ONBUILD FROM debian:12.9
",
        good: "FROM debian:12.8
ONBUILD COPY . /app
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_onbuild_forbidden;

fn check_onbuild_forbidden(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for instruction in file.instructions.iter().filter(|instruction| instruction.onbuild) {
        if matches!(instruction.keyword.as_str(), "FROM" | "MAINTAINER" | "ONBUILD") {
            sink.report_finding(instruction.place, format!("ONBUILD cannot trigger {}", instruction.keyword));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[("FROM a:1\nONBUILD FROM b:1\nONBUILD ONBUILD RUN x\n", &[2, 3]), ("FROM a:1\nONBUILD RUN x\n", &[])],
        );
    }
}
