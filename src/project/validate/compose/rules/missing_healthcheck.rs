//! Services without a health check.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-missing-healthcheck",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Nothing tells whether the service still works, and others cannot wait for it.",
    help: "add `healthcheck`",
    explanation: "A service that has started is not yet one that answers. With a health check Compose knows the \
        difference, restarts can be automated, and others can wait with `condition: service_healthy`.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: nginx:1.27.3
",
        good: r#"services:
  web:
    image: nginx:1.27.3
    healthcheck:
      test: ["CMD", "curl", "-f", "http://localhost/"]
      interval: 30s
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_compose_healthcheck;

fn check_compose_healthcheck(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        let disabled = service.node.value_at_path(&["healthcheck", "disable"]).is_some_and(YamlNode::is_true);
        let lives = service.image().is_some() || service.get("build").is_some();
        if lives && (service.get("healthcheck").is_none() || disabled) && service.get("extends").is_none() {
            sink.report_finding(service.key.place, format!("the service `{}` has no health check", service.name));
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
                ("services:\n  a:\n    image: x:1\n  b:\n    image: x:1\n    healthcheck: {disable: true}\n", &[2, 4]),
                ("services:\n  a:\n    image: x:1\n    healthcheck: {test: x}\n", &[]),
            ],
        );
    }
}
