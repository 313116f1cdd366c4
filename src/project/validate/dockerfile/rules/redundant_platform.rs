//! A platform flag that says nothing.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-redundant-platform",
        Category::Maintainability,
        Severity::Info,
        "The target platform is what a base image has anyway.",
        "leave the flag out",
    ),
    hadolint: &["DL3065"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in &file.stages {
        if stage.platform.as_deref().is_some_and(|platform| matches!(platform, "$TARGETPLATFORM" | "${TARGETPLATFORM}"))
        {
            sink.say(stage.place, "`--platform=$TARGETPLATFORM` is the default");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM --platform=$TARGETPLATFORM a:1\n", &[1]), ("FROM --platform=$BUILDPLATFORM a:1\n", &[])],
        );
    }
}
