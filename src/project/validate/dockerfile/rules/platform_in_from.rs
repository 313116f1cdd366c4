//! Base images of one platform only.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-platform-in-from",
    aliases: &["hadolint:DL3029"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "The platform of the base image is fixed, so the image cannot be built for another one.",
    help: "leave the platform to the builder",
    explanation: "A fixed platform makes the image run under emulation, or not at all, on every other machine. The \
        builder knows for which platform it builds; `$BUILDPLATFORM` is for stages that cross-compile.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM --platform=linux/amd64 debian:12.8
",
        good: "FROM debian:12.8
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_platform_in_from;

fn check_platform_in_from(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for stage in &file.stages {
        if let Some(platform) = stage
            .platform
            .as_deref()
            .filter(|platform| !platform.contains("BUILDPLATFORM") && !platform.contains("TARGETPLATFORM"))
        {
            sink.report_finding(stage.place, format!("the base image is fixed to `{platform}`"));
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
            &[("FROM --platform=linux/amd64 a:1\n", &[1]), ("FROM --platform=$BUILDPLATFORM a:1\n", &[])],
        );
    }
}
