//! Stage names that builders use themselves.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-reserved-stage-name",
    aliases: &["hadolint:DL3063"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "`scratch` and `context` mean something else to builders.",
    help: "give the stage another name",
    explanation: "`scratch` is the empty image and `context` the files of the build. A stage of that name cannot be \
        referred to, or something else is taken in its place.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8 AS scratch
",
        good: "FROM debian:12.8 AS base
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_reserved_stage_name;

fn check_reserved_stage_name(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for stage in &file.stages {
        if let Some(name) = stage.name.as_deref().filter(|name| matches!(*name, "scratch" | "context")) {
            sink.report_finding(stage.place, format!("the stage name `{name}` is reserved"));
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
            &[("FROM a:1 AS scratch\nFROM a:1 AS context\n", &[1, 2]), ("FROM scratch AS x\n", &[])],
        );
    }
}
