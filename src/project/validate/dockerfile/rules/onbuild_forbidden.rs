//! Triggers that cannot be.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-onbuild-forbidden",
        Category::Maintainability,
        Severity::High,
        "ONBUILD cannot trigger FROM, MAINTAINER or another ONBUILD.",
        "leave it out",
    ),
    hadolint: &["DL3043"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for instruction in file.instructions.iter().filter(|instruction| instruction.onbuild) {
        if matches!(instruction.keyword.as_str(), "FROM" | "MAINTAINER" | "ONBUILD") {
            sink.say(instruction.place, format!("ONBUILD cannot trigger {}", instruction.keyword));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nONBUILD FROM b:1\nONBUILD ONBUILD RUN x\n", &[2, 3]), ("FROM a:1\nONBUILD RUN x\n", &[])],
        );
    }
}
