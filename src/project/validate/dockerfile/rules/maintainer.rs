//! The deprecated way to name an author.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-maintainer",
        Category::Maintainability,
        Severity::Low,
        "MAINTAINER is deprecated.",
        "use `LABEL org.opencontainers.image.authors=...`",
    ),
    hadolint: &["DL4000"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for instruction in file.all("MAINTAINER").filter(|instruction| !instruction.onbuild) {
        sink.say(instruction.place, "MAINTAINER is deprecated");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("FROM a:1\nMAINTAINER x\n", &[2]), ("FROM a:1\nLABEL maintainer=x\n", &[])]);
    }
}
