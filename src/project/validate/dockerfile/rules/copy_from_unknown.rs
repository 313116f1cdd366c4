//! Copying from a stage that does not exist.

use std::collections::HashMap;

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-copy-from-unknown",
    aliases: &["hadolint:DL3022"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "COPY --from names a stage that is not there, so an image of that name is fetched.",
    help: "name a stage above, or a tagged image",
    explanation: "When no stage above has the name after `--from=`, the builder takes it for an image and fetches \
        that, perhaps somebody else's. Correct the name of the stage, or give an image its tag so that it is clear one \
        is meant.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM golang:1.23 AS build
FROM debian:12.8
COPY --from=builder /app /app
",
        good: "FROM golang:1.23 AS build
FROM debian:12.8
COPY --from=build /app /app
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_copy_from_unknown;

fn check_copy_from_unknown(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    // Names of stages are told apart by case here because older builders do so.
    let mut first = HashMap::new();
    for (at, stage) in file.stages.iter().enumerate() {
        first.entry(stage.name.as_deref()).or_insert(at);
    }
    for copy in file.instructions_named("COPY") {
        let (Some(from), Some(stage)) = (copy.flag("from"), copy.stage) else { continue };
        let known = first.get(&Some(from)).is_some_and(|at| *at < stage)
            || from.parse::<usize>().is_ok_and(|number| number < stage);
        let own = file.stages.get(stage).and_then(|stage| stage.name.as_deref()) == Some(from);
        if !known && !own && !from.contains(':') && !from.contains('@') {
            sink.report_finding(copy.place, format!("no stage above is called `{from}`"));
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
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=y a /b\nCOPY --from=7 a /b\n", &[3, 4]),
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=x a /b\nCOPY --from=0 a /b\nCOPY --from=n:1 a /b\n", &[]),
            ],
        );
    }
}
