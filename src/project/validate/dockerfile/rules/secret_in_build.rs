//! Secrets in arguments and variables of a build.

use super::prelude::*;
use crate::validate::secret_value;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-secret-in-build",
    aliases: &["hadolint:DL3064"],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Build arguments and variables stay readable in the image.",
    help: "mount it: `RUN --mount=type=secret,id=...`",
    explanation: "Values of `ARG` and `ENV` are written into the image and its history; `docker history` shows them to \
        everybody who may pull it. A secret mount is there while one instruction runs and leaves nothing behind.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM node:22.11
ARG NPM_TOKEN
RUN npm ci
",
        good: "FROM node:22.11
RUN --mount=type=secret,id=npm,env=NPM_TOKEN npm ci
",
    }],
    cwe: Some("CWE-522"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_secret_in_build;

fn check_secret_in_build(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for instruction in file.instructions.iter().filter(|i| matches!(i.keyword.as_str(), "ARG" | "ENV")) {
        for (name, value) in instruction.pairs() {
            if secret_value::is_secret_name(name)
                && !(instruction.is("ENV") && secret_value::points_elsewhere(value))
            {
                sink.report_finding(instruction.place, format!("`{name}` looks like a secret and stays in the image"));
                break;
            }
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
                ("FROM a:1\nARG NPM_TOKEN\nENV DB_PASSWORD=x API=1\n", &[2, 3]),
                ("FROM a:1\nENV TOKENIZERS_PARALLELISM=1\nARG VERSION\n", &[]),
            ],
        );
    }
}
