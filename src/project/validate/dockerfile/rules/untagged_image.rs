//! Base images without a version.

use super::super::image::Image;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-untagged-image",
    aliases: &["hadolint:DL3006"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "An image without a tag is whatever is latest on the day of the build.",
    help: "name a version, best with its digest",
    explanation: "No tag means `latest`: whatever was pushed last. Name a version, so that tomorrow's build stands on \
        the same image; with its digest it is fixed to the byte.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian
",
        good: "FROM debian:12.8
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_untagged_image;

fn check_untagged_image(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (index, stage) in file.stages.iter().enumerate() {
        let image = Image::from_reference(&stage.image);
        let fixed = image.tag.is_some() || image.digest.is_some() || image.is_variable();
        let inner = file.stage_named(&stage.image, index).is_some() || stage.image == "scratch";
        if !fixed && !inner && !stage.image.is_empty() {
            sink.report_finding(stage.place, format!("the image `{}` has no tag", stage.image));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a\nFROM r.io:5000/a\n", &[1, 2]),
                ("ARG X\nFROM scratch AS b\nFROM b\nFROM $X\nFROM c@sha256:0\n", &[]),
            ],
        );
    }
}
