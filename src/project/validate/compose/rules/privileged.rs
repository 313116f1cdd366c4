//! Containers with all rights.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-privileged",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "A privileged container can do to the machine whatever root can.",
    help: "leave it out, or name the capabilities that are needed",
    explanation: "`privileged: true` gives the container every capability and every device of the machine; it can \
        mount the disks and load kernel modules. Name the capabilities or the one device that is needed.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  backup:
    image: backup:3.2
    privileged: true
",
        good: "services:
  backup:
    image: backup:3.2
    devices:
      - /dev/sdb1:/dev/backup
",
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_privileged;

fn check_privileged(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        if let Some((key, _)) = service.node.entry("privileged").filter(|(_, value)| value.is_true()) {
            sink.report_finding(key.place, format!("the service `{}` is privileged", service.name));
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
                ("services:\n  a:\n    image: x:1\n    privileged: true\n", &[4]),
                ("services:\n  a:\n    privileged: false\n", &[]),
            ],
        );
    }
}
