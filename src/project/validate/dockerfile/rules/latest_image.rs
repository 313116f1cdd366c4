//! Base images by the moving tag.

use super::super::image::Image;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-latest-image",
        Category::Maintainability,
        Severity::Medium,
        "The tag `latest` is another image each day.",
        "name a version, best with its digest",
    ),
    hadolint: &["DL3007"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in &file.stages {
        let image = Image::of(&stage.image);
        if image.tag == Some("latest") && image.digest.is_none() {
            sink.say(stage.place, format!("the image `{}` is taken as `latest`", image.name));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("FROM a:latest\n", &[1]), ("FROM a:1\nFROM b:latest@sha256:0\n", &[])]);
    }
}
