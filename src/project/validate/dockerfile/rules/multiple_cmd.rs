//! Commands that are overruled.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-multiple-cmd",
        Category::Maintainability,
        Severity::Medium,
        "Only the last CMD of a stage counts.",
        "keep one",
    ),
    hadolint: &["DL4003"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in 0..file.stages.len() {
        for again in file.of_stage(stage).filter(|i| i.is("CMD") && !i.onbuild).skip(1) {
            sink.say(again.place, "the stage has a CMD already; only the last one counts");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nCMD [\"a\"]\nCMD [\"b\"]\n", &[3]), ("FROM a:1\nCMD [\"a\"]\nFROM b:1\nCMD [\"b\"]\n", &[])],
        );
    }
}
