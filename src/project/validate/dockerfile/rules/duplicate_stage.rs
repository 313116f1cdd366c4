//! Stage names used twice.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-duplicate-stage",
    aliases: &["hadolint:DL3024"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Two stages of one name cannot be told apart.",
    help: "give each stage a name of its own",
    explanation: "`--from=NAME` and `--target NAME` can mean one stage only. With two of the same name the builder \
        stops, or takes one that was not meant. Names are compared without case.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM golang:1.23 AS build
FROM node:22.11 AS build
",
        good: "FROM golang:1.23 AS backend
FROM node:22.11 AS frontend
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_duplicate_stage;

fn check_duplicate_stage(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    let mut seen = std::collections::BTreeSet::new();
    for stage in &file.stages {
        if let Some(name) = &stage.name
            && !seen.insert(name.to_ascii_lowercase())
        {
            sink.report_finding(stage.place, format!("another stage is called `{name}` already"));
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
            &[("FROM a:1 AS x\nFROM b:1 AS x\n", &[2]), ("FROM a:1 AS x\nFROM b:1 AS y\n", &[])],
        );
    }
}
