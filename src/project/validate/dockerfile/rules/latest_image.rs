//! Base images by the moving tag.

use super::super::image::Image;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-latest-image",
    aliases: &["hadolint:DL3007"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The tag `latest` is another image each day.",
    help: "name a version, best with its digest",
    explanation: "`latest` is whatever was pushed last. Yesterday's build and today's stand on different images \
        although nothing changed here, and nobody can go back. Name a version; with its digest it is fixed to the \
        byte.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:latest
",
        good: "FROM debian:12.8
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_latest_image;

fn check_latest_image(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for stage in &file.stages {
        let image = Image::from_reference(&stage.image);
        if image.tag == Some("latest") && image.digest.is_none() {
            sink.report_finding(stage.place, format!("the image `{}` is taken as `latest`", image.name));
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
            &[("FROM a:latest\n", &[1]), ("FROM a:1\nFROM b:latest@sha256:0\n", &[])],
        );
    }
}
