//! Health checks that are overruled.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-multiple-healthchecks",
        Category::Maintainability,
        Severity::Medium,
        "Only the last HEALTHCHECK of a stage counts.",
        "keep one",
    ),
    hadolint: &["DL3012"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in 0..file.stages.len() {
        for again in file.of_stage(stage).filter(|i| i.is("HEALTHCHECK") && !i.onbuild).skip(1) {
            sink.say(again.place, "the stage has a HEALTHCHECK already; only the last one counts");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nHEALTHCHECK CMD x\nHEALTHCHECK NONE\n", &[3]),
                ("FROM a:1\nHEALTHCHECK CMD x\nFROM b:1\nHEALTHCHECK CMD x\n", &[]),
            ],
        );
    }
}
