//! Many small layers.

use super::super::instruction::Instruction;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-consecutive-run",
        Category::Maintainability,
        Severity::Info,
        "Each RUN is a layer of its own.",
        "join them with `&&`",
    ),
    hadolint: &["DL3059"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for pair in file.instructions.windows(2) {
        let [before, run] = pair else { continue };
        let single = |instruction: &Instruction| {
            instruction.is("RUN") && instruction.commands.len() <= 2 && !instruction.heredocs
        };
        if single(before) && single(run) && before.flags == run.flags && !before.onbuild && !run.onbuild {
            sink.say(run.place, "this RUN could be joined with the one before");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("FROM a:1\nRUN a\nRUN b\n", &[3]), ("FROM a:1\nRUN a\nENV X=1\nRUN b\n", &[])]);
    }
}
