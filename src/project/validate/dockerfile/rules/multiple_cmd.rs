//! Commands that are overruled.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-multiple-cmd",
    aliases: &["hadolint:DL4003"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Only the last CMD of a stage counts.",
    help: "keep one",
    explanation: "A stage has one command to start with; every `CMD` but the last is ignored. The first one is either \
        left over or was meant as a `RUN`.",
    examples: &[Example {
        path: "Dockerfile",
        bad: r#"FROM debian:12.8
CMD ["/app", "migrate"]
CMD ["/app", "serve"]
"#,
        good: r#"FROM debian:12.8
CMD ["/app", "serve"]
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_multiple_cmd;

fn check_multiple_cmd(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    super::report_repeated_instructions(file, "CMD", "the stage has a CMD already; only the last one counts", sink);
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[("FROM a:1\nCMD [\"a\"]\nCMD [\"b\"]\n", &[3]), ("FROM a:1\nCMD [\"a\"]\nFROM b:1\nCMD [\"b\"]\n", &[])],
        );
    }
}
