//! Images that end as root by their own word.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: weakness(
        rule(
            "docker-root-user",
            Category::Security,
            Severity::Medium,
            "The container runs as root, so whoever takes over the process owns the container.",
            "end the last stage with USER and a user without rights",
        ),
        "CWE-250",
    ),
    hadolint: &["DL3002"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in 0..file.stages.len() {
        let last = file.of_stage(stage).filter(|instruction| instruction.is("USER")).last();
        let Some(user) = last else { continue };
        let name = user.words.first().map_or("", |word| word.split(':').next().unwrap_or_default());
        if matches!(name, "root" | "0") {
            sink.say(user.place, "the last USER of the stage is root");
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
                ("FROM a:1\nUSER app\nUSER root\n", &[3]),
                ("FROM a:1\nUSER 0:0\nFROM b:1\nUSER app\n", &[2]),
                ("FROM a:1\nUSER root\nUSER 1000\n", &[]),
            ],
        );
    }
}
