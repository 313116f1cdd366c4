//! Health checks that are overruled.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-multiple-healthchecks",
    aliases: &["hadolint:DL3012"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Only the last HEALTHCHECK of a stage counts.",
    help: "keep one",
    explanation: "A stage has one check of its health; every `HEALTHCHECK` but the last is ignored. Put what is to be \
        asked into one command.",
    examples: &[Example {
        path: "Dockerfile",
        bad: r#"FROM debian:12.8
HEALTHCHECK CMD ["/check-web"]
HEALTHCHECK CMD ["/check-queue"]
"#,
        good: r#"FROM debian:12.8
HEALTHCHECK CMD ["/check-all"]
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_multiple_healthchecks;

fn check_multiple_healthchecks(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    super::report_repeated_instructions(file, "HEALTHCHECK", "the stage has a HEALTHCHECK already; only the last one counts", sink);
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nHEALTHCHECK CMD x\nHEALTHCHECK NONE\n", &[3]),
                ("FROM a:1\nHEALTHCHECK CMD x\nFROM b:1\nHEALTHCHECK CMD x\n", &[]),
            ],
        );
    }
}
