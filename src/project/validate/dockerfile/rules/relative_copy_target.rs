//! Relative targets without a working directory.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-relative-copy-target",
    aliases: &["hadolint:DL3045"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "The target is relative and the stage sets no WORKDIR, so it depends on the base image.",
    help: "set WORKDIR first, or give the whole path",
    explanation: "A relative target stands below the working directory. When the stage sets none, that is a folder of \
        the base image, which the next version may move. Set `WORKDIR` first or write the whole path.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM python:3.13.1-slim
COPY app.py app.py
",
        good: "FROM python:3.13.1-slim
WORKDIR /app
COPY app.py app.py
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_relative_copy_target;

fn check_relative_copy_target(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    let mut set = vec![false; file.stages.len()];
    for instruction in &file.instructions {
        let Some(at) = instruction.stage else { continue };
        if instruction.is("FROM") {
            // A stage that goes on from another has its folder.
            let before = file.stages.get(at).and_then(|stage| file.stage_named(&stage.image, at));
            let inherited = before.and_then(|before| set.get(before).copied()).unwrap_or_default();
            set.get_mut(at).into_iter().for_each(|flag| *flag = inherited);
        }
        if instruction.is("WORKDIR") {
            set.get_mut(at).into_iter().for_each(|flag| *flag = true);
        }
        let Some(target) = instruction.words.last().filter(|_| instruction.is("COPY")) else { continue };
        let target = target.trim_matches(['"', '\'']);
        let drive = target.get(1..2) == Some(":");
        if !target.starts_with(['/', '$', '\\']) && !drive && !set.get(at).copied().unwrap_or_default() {
            sink.report_finding(instruction.place, format!("the target `{target}` is relative and no WORKDIR is set"));
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
                ("FROM a:1\nCOPY a b\n", &[2]),
                ("FROM a:1 AS x\nWORKDIR /x\nCOPY a b\nFROM x\nCOPY a .\n", &[]),
                ("FROM a:1\nCOPY a /b\nCOPY a $X\n", &[]),
            ],
        );
    }
}
