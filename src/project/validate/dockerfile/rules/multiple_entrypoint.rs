//! Entry points that are overruled.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-multiple-entrypoint",
    aliases: &["hadolint:DL4004"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Only the last ENTRYPOINT of a stage counts.",
    help: "keep one",
    explanation: "A stage has one entry point; every `ENTRYPOINT` but the last is ignored. What shall be an argument \
        of it belongs into `CMD`.",
    examples: &[Example {
        path: "Dockerfile",
        bad: r#"FROM debian:12.8
ENTRYPOINT ["/init"]
ENTRYPOINT ["/app"]
"#,
        good: r#"FROM debian:12.8
ENTRYPOINT ["/init"]
CMD ["/app"]
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_multiple_entrypoint;

fn check_multiple_entrypoint(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    super::report_repeated_instructions(file, "ENTRYPOINT", "the stage has an ENTRYPOINT already; only the last one counts", sink);
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nENTRYPOINT [\"a\"]\nENTRYPOINT [\"b\"]\n", &[3]),
                ("FROM a:1\nENTRYPOINT [\"a\"]\nCMD [\"b\"]\n", &[]),
            ],
        );
    }
}
