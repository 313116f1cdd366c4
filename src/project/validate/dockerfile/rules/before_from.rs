//! Instructions without an image.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-before-from",
        Category::Maintainability,
        Severity::High,
        "Before the first FROM only ARG may stand.",
        "begin with FROM",
    ),
    hadolint: &["DL3061"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    let first = file.instructions.first();
    let none = file.stages.is_empty() && first.is_none_or(|instruction| instruction.is("ARG"));
    if none {
        sink.say(Place::FILE, "there is no FROM");
    }
    // What follows a wrong start is no longer wrong by itself.
    let early = file.instructions.iter().find(|instruction| instruction.stage.is_none() && !instruction.is("ARG"));
    if let Some(early) = early {
        sink.say(early.place, format!("{} stands before the first FROM", early.keyword));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("RUN x\nFROM a:1\n", &[1]), ("", &[0]), ("ARG A=1\nFROM a:$A\n", &[])]);
    }
}
