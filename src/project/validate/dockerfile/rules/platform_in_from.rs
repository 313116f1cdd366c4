//! Base images of one platform only.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-platform-in-from",
        Category::Maintainability,
        Severity::Low,
        "The platform of the base image is fixed, so the image cannot be built for another one.",
        "leave the platform to the builder",
    ),
    hadolint: &["DL3029"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in &file.stages {
        if let Some(platform) = stage
            .platform
            .as_deref()
            .filter(|platform| !platform.contains("BUILDPLATFORM") && !platform.contains("TARGETPLATFORM"))
        {
            sink.say(stage.place, format!("the base image is fixed to `{platform}`"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM --platform=linux/amd64 a:1\n", &[1]), ("FROM --platform=$BUILDPLATFORM a:1\n", &[])],
        );
    }
}
