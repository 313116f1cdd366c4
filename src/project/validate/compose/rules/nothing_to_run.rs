//! Services without an image.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-nothing-to-run",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "A service needs an image or something to build.",
    help: "give it `image` or `build`",
    explanation: "A service is a container, and a container needs an image: one that is named, or one that is built. \
        Without either Compose refuses the file.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: nginx:1.27.3
  worker:
    restart: always
",
        good: "services:
  web:
    image: nginx:1.27.3
  worker:
    build: ./worker
    restart: always
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_nothing_to_run;

fn check_nothing_to_run(root: &YamlNode, sink: &mut FindingSink<'_>) {
    if root.get("services").is_none() && root.get("include").is_none() {
        sink.report_finding(FileLocation::FILE, "the file has no services");
    }
    let services = services(root);
    // A file of overrides says only what differs.
    if !services.iter().any(|service| service.get("image").is_some() || service.get("build").is_some()) {
        return;
    }
    for service in services {
        let fragment = ["build", "image", "extends", "provider"].iter().any(|key| service.get(key).is_some());
        if !fragment {
            sink.report_finding(service.key.place, format!("the service `{}` has neither `image` nor `build`", service.name));
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
                ("services:\n  a:\n    image: x:1\n  b:\n    ports: []\n", &[4]),
                ("name: x\n", &[0]),
                ("services:\n  a:\n    ports: []\n", &[]),
            ],
        );
    }
}
