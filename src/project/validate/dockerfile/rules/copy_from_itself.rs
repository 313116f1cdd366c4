//! Copying from the stage itself.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-copy-from-itself",
    aliases: &["hadolint:DL3023"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "A stage cannot copy from itself.",
    help: "name another stage",
    explanation: "A stage that copies from itself refers to an image that does not exist yet, and the build stops. \
        Name the earlier stage that made the file.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8 AS build
COPY --from=build /app /app
",
        good: "FROM debian:12.8 AS build
RUN make
FROM debian:12.8 AS run
COPY --from=build /app /app
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_copy_from_itself;

fn check_copy_from_itself(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for copy in file.instructions_named("COPY") {
        let (Some(from), Some(at)) = (copy.flag("from"), copy.stage) else { continue };
        let name = file.stages.get(at).and_then(|stage| stage.name.as_deref());
        if name.is_some_and(|name| name.eq_ignore_ascii_case(from)) {
            sink.report_finding(copy.place, format!("the stage `{from}` copies from itself"));
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
                ("FROM a:1 AS x\nCOPY --from=x a /b\n", &[2]),
                ("FROM a:1 AS x\nFROM b:1 AS y\nCOPY --from=x a /b\n", &[]),
            ],
        );
    }
}
