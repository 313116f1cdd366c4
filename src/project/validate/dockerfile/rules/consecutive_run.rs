//! Many small layers.

use super::super::instruction::Instruction;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-consecutive-run",
    aliases: &["hadolint:DL3059"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "Each RUN is a layer of its own.",
    help: "join them with `&&`",
    explanation: "Each `RUN` makes a layer. What one layer adds and the next removes is still in the image. Commands \
        that belong together stand better in one instruction, joined by `&&`.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN make
RUN make install
",
        good: "FROM debian:12.8
RUN make && make install
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_consecutive_run;

fn check_consecutive_run(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for pair in file.instructions.windows(2) {
        let [before, run] = pair else { continue };
        let single = |instruction: &Instruction| {
            instruction.is("RUN") && instruction.commands.len() <= 2 && !instruction.heredocs
        };
        if single(before) && single(run) && before.flags == run.flags && !before.onbuild && !run.onbuild {
            sink.report_finding(run.place, "this RUN could be joined with the one before");
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
            &[("FROM a:1\nRUN a\nRUN b\n", &[3]), ("FROM a:1\nRUN a\nENV X=1\nRUN b\n", &[])],
        );
    }
}
