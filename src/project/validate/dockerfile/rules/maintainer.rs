//! The deprecated way to name an author.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-maintainer",
    aliases: &["hadolint:DL4000"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "MAINTAINER is deprecated.",
    help: "use `LABEL org.opencontainers.image.authors=...`",
    explanation: "`MAINTAINER` has been deprecated since 2017 and builders warn about it. A label says the same, and \
        tools that list images show it.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
MAINTAINER shop@example.com
",
        good: r#"FROM debian:12.8
LABEL org.opencontainers.image.authors="shop@example.com"
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_maintainer;

fn check_maintainer(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for instruction in file.instructions_named("MAINTAINER").filter(|instruction| !instruction.onbuild) {
        sink.report_finding(instruction.place, "MAINTAINER is deprecated");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[("FROM a:1\nMAINTAINER x\n", &[2]), ("FROM a:1\nLABEL maintainer=x\n", &[])],
        );
    }
}
