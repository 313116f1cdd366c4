//! Images without a version.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;
use crate::validate::dockerfile::Image;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-latest-image",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The tag `latest`, or none, is another image each day.",
    help: "name a version, best with its digest",
    explanation: "Without a version each `docker compose pull` may bring another program, and nobody can say which one \
        ran last week. Name a version; with its digest it is fixed to the byte.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  cache:
    image: redis:latest
",
        good: "services:
  cache:
    image: redis:7.4.1
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_compose_latest_image;

fn check_compose_latest_image(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        let Some(at) = service.get("image") else { continue };
        // What is built here is tagged as the builder likes.
        if service.get("build").is_some() {
            continue;
        }
        let image = Image::from_reference(at.text().unwrap_or_default());
        let moving = image.tag.is_none_or(|tag| tag == "latest" || tag.ends_with(":-latest}"));
        if moving && image.digest.is_none() && !image.is_variable() && !image.name.is_empty() {
            sink.report_finding(at.place, format!("the image `{}` of `{}` has no fixed version", image.name, service.name));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
            &[
                (
                    "services:\n  a:\n    image: x:latest\n  b:\n    image: y\n  c:\n    image: z:${V:-latest}\n",
                    &[3, 5, 7],
                ),
                (
                    "services:\n  a:\n    image: x:1\n  b:\n    build: .\n    image: y\n  c:\n    image: z@sha256:0\n",
                    &[],
                ),
            ],
        );
    }
}
