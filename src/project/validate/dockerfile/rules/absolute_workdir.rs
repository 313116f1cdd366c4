//! Relative working directories.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-absolute-workdir",
    aliases: &["hadolint:DL3000"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "A relative WORKDIR depends on the one before it, also on that of the base image.",
    help: "write the whole path, beginning with a slash",
    explanation: "A relative `WORKDIR` continues the one before it, also one that the base image set and may change. \
        Then files land in another folder than the Dockerfile seems to say. Begin the path with a slash, or with a \
        variable that holds a whole path.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM python:3.13.1-slim
WORKDIR app
",
        good: "FROM python:3.13.1-slim
WORKDIR /app
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_absolute_workdir;

fn check_absolute_workdir(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for workdir in file.instructions_named("WORKDIR") {
        let path = workdir.text.trim().trim_matches(['"', '\'']);
        let drive = path.get(1..2) == Some(":");
        if !path.is_empty() && !path.starts_with(['/', '\\', '$']) && !drive {
            sink.report_finding(workdir.place, format!("the working directory `{path}` is relative"));
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
            &[
                ("FROM a:1\nWORKDIR x\n", &[2]),
                ("FROM a:1\nWORKDIR /x\nWORKDIR $X/y\nWORKDIR \"/z\"\nWORKDIR c:/x\n", &[]),
            ],
        );
    }
}
