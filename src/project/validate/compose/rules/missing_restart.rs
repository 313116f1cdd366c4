//! Services that are not started again.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-missing-restart",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "A service that fails stays down.",
    help: "set `restart: unless-stopped`",
    explanation: "A process that ends, and a machine that restarts, leave the service down until somebody notices. \
        `restart: unless-stopped` starts it again except when it was stopped on purpose.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: nginx:1.27.3
",
        good: "services:
  web:
    image: nginx:1.27.3
    restart: unless-stopped
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_missing_restart;

fn check_missing_restart(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        let policy = service.get("restart").is_some() || service.node.value_at_path(&["deploy", "restart_policy"]).is_some();
        if service.image().is_some() && !policy && service.get("extends").is_none() {
            sink.report_finding(service.key.place, format!("the service `{}` stays down when it fails", service.name));
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
                ("services:\n  a:\n    image: x:1\n", &[2]),
                ("services:\n  a:\n    image: x:1\n    restart: always\n", &[]),
            ],
        );
    }
}
