//! Entry points that are overruled.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-multiple-entrypoint",
        Category::Maintainability,
        Severity::Medium,
        "Only the last ENTRYPOINT of a stage counts.",
        "keep one",
    ),
    hadolint: &["DL4004"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in 0..file.stages.len() {
        for again in file.of_stage(stage).filter(|i| i.is("ENTRYPOINT") && !i.onbuild).skip(1) {
            sink.say(again.place, "the stage has an ENTRYPOINT already; only the last one counts");
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
                ("FROM a:1\nENTRYPOINT [\"a\"]\nENTRYPOINT [\"b\"]\n", &[3]),
                ("FROM a:1\nENTRYPOINT [\"a\"]\nCMD [\"b\"]\n", &[]),
            ],
        );
    }
}
