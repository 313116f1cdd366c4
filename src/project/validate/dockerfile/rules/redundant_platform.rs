//! A platform flag that says nothing.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-redundant-platform",
    aliases: &["hadolint:DL3065"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "The target platform is what a base image has anyway.",
    help: "leave the flag out",
    explanation: "The platform that is built for is what a base image is chosen for anyway, so \
        `--platform=$TARGETPLATFORM` says nothing. Leave the flag out.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM --platform=$TARGETPLATFORM debian:12.8
",
        good: "FROM debian:12.8
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_redundant_platform;

fn check_redundant_platform(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for stage in &file.stages {
        if stage.platform.as_deref().is_some_and(|platform| matches!(platform, "$TARGETPLATFORM" | "${TARGETPLATFORM}"))
        {
            sink.report_finding(stage.place, "`--platform=$TARGETPLATFORM` is the default");
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
            &[("FROM --platform=$TARGETPLATFORM a:1\n", &[1]), ("FROM --platform=$BUILDPLATFORM a:1\n", &[])],
        );
    }
}
