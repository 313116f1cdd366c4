//! A whole file system copied from another stage.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-copy-whole-filesystem",
    aliases: &["hadolint:DL3067"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Everything of another stage is copied, tools and secrets of the build included.",
    help: "copy what is needed",
    explanation: "Stages exist to leave the tools, caches and credentials of the build behind. Copying the root folder \
        takes all of them along again. Copy the few files that the program needs.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM golang:1.23 AS build
RUN go build -o /app .
FROM debian:12.8
COPY --from=build / /
",
        good: "FROM golang:1.23 AS build
RUN go build -o /app .
FROM debian:12.8
COPY --from=build /app /app
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_copy_whole_filesystem;

fn check_copy_whole_filesystem(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for copy in file.instructions_named("COPY").filter(|copy| copy.flag("from").is_some()) {
        if let [source, target] = copy.words.as_slice()
            && source == "/"
            && target == "/"
        {
            sink.report_finding(copy.place, "the whole file system of another stage is copied");
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
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=x / /\n", &[3]),
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=x /a /\nCOPY --from=x / /y\n", &[]),
            ],
        );
    }
}
