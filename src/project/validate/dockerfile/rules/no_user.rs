//! Images that never say whom they run as.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: weakness(
        rule(
            "docker-no-user",
            Category::Security,
            Severity::Low,
            "No USER is set, so the container runs as whatever the base image says, mostly root.",
            "create a user and name it with USER",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    let Some(stage) = file.stages.last() else { return };
    // A stage that goes on from another has its user.
    let mut index = file.stages.len() - 1;
    let mut image = stage.image.as_str();
    loop {
        if file.of_stage(index).any(|instruction| instruction.is("USER")) {
            return;
        }
        match file.stage_named(image, index).and_then(|at| Some((at, file.stages.get(at)?))) {
            Some((at, before)) => (index, image) = (at, before.image.as_str()),
            None => break,
        }
    }
    let runs = file.of_stage(file.stages.len() - 1).any(|i| matches!(i.keyword.as_str(), "CMD" | "ENTRYPOINT"));
    if runs && !image.contains("nonroot") && !image.contains('$') {
        sink.say(stage.place, "nothing says whom the container runs as");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nCMD [\"x\"]\n", &[1]),
                ("FROM a:1 AS b\nUSER x\nFROM b\nCMD [\"x\"]\n", &[]),
                ("FROM a:1\nUSER x\nCMD [\"x\"]\n", &[]),
                ("FROM a:1\nRUN x\n", &[]),
            ],
        );
    }
}
