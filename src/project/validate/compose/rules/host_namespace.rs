//! Namespaces of the machine shared with a container.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-host-namespace",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The container shares what separates containers from the machine.",
    help: "leave it out and publish ports instead",
    explanation: "Network, processes and other namespaces are what separates a container from the machine. With `host` \
        the container sees and reaches what the machine sees: its local ports, its processes, its shared memory. \
        Publish the ports that are needed instead.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: nginx:1.27.3
    network_mode: host
",
        good: r#"services:
  web:
    image: nginx:1.27.3
    ports:
      - "8080:80"
"#,
    }],
    cwe: Some("CWE-653"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_host_namespace;

fn check_host_namespace(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        for name in ["network_mode", "pid", "ipc", "userns_mode", "uts"] {
            if let Some(value) = service.get(name).filter(|value| value.text() == Some("host")) {
                sink.report_finding(value.place, format!("the service `{}` has `{name}: host`", service.name));
            }
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
                ("services:\n  a:\n    network_mode: host\n    pid: host\n", &[3, 4]),
                ("services:\n  a:\n    network_mode: bridge\n", &[]),
            ],
        );
    }
}
