//! Base images without a version.

use super::super::image::Image;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-untagged-image",
        Category::Maintainability,
        Severity::Medium,
        "An image without a tag is whatever is latest on the day of the build.",
        "name a version, best with its digest",
    ),
    hadolint: &["DL3006"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (index, stage) in file.stages.iter().enumerate() {
        let image = Image::of(&stage.image);
        let fixed = image.tag.is_some() || image.digest.is_some() || image.is_variable();
        let inner = file.stage_named(&stage.image, index).is_some() || stage.image == "scratch";
        if !fixed && !inner && !stage.image.is_empty() {
            sink.say(stage.place, format!("the image `{}` has no tag", stage.image));
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
                ("FROM a\nFROM r.io:5000/a\n", &[1, 2]),
                ("ARG X\nFROM scratch AS b\nFROM b\nFROM $X\nFROM c@sha256:0\n", &[]),
            ],
        );
    }
}
