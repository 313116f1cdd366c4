//! Stage names that builders use themselves.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-reserved-stage-name",
        Category::Maintainability,
        Severity::Medium,
        "`scratch` and `context` mean something else to builders.",
        "give the stage another name",
    ),
    hadolint: &["DL3063"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in &file.stages {
        if let Some(name) = stage.name.as_deref().filter(|name| matches!(*name, "scratch" | "context")) {
            sink.say(stage.place, format!("the stage name `{name}` is reserved"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1 AS scratch\nFROM a:1 AS context\n", &[1, 2]), ("FROM scratch AS x\n", &[])],
        );
    }
}
