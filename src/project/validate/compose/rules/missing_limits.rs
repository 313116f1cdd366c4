//! Services without limits.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-missing-limits",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "One service can take all memory of the machine.",
    help: "set `deploy.resources.limits`, or `mem_limit` and `cpus`",
    explanation: "Without a limit one service with a leak takes the memory of all others, and the kernel then ends \
        whichever process it likes. Set what the service may use at most.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: nginx:1.27.3
",
        good: r#"services:
  web:
    image: nginx:1.27.3
    deploy:
      resources:
        limits:
          cpus: "0.5"
          memory: 256M
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_missing_limits;

fn check_missing_limits(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        let limited = service.node.value_at_path(&["deploy", "resources", "limits", "memory"]).is_some()
            || service.get("mem_limit").is_some();
        let lives = service.image().is_some() || service.get("build").is_some();
        if lives && !limited && service.get("extends").is_none() {
            sink.report_finding(service.key.place, format!("the service `{}` may take all memory", service.name));
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
                (
                    "services:\n  a:\n    image: x:1\n    mem_limit: 1g\n  b:\n    image: x:1\n    deploy: {resources: {limits: {memory: 1G}}}\n",
                    &[],
                ),
            ],
        );
    }
}
