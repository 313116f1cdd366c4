//! Folders of the system that a container may write.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-host-mount",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The container can change the system it runs on.",
    help: "mount a folder of its own, or read-only",
    explanation: "Folders such as `/`, `/etc`, `/proc` or `/root` are the machine itself. A container that may write \
        there can change its users, its services and its keys, and one that may read there knows its secrets. Mount a \
        folder of the service's own, or a named volume.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: nginx:1.27.3
    volumes:
      - /etc:/host/etc
",
        good: "services:
  web:
    image: nginx:1.27.3
    volumes:
      - ./conf:/etc/nginx/conf.d:ro
",
    }],
    cwe: Some("CWE-668"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_host_mount;

const SYSTEM: [&str; 12] =
    ["/", "/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/root", "/run", "/sys", "/usr", "/var"];

fn check_host_mount(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        for (source, writable, at) in service.host_mounts() {
            let trimmed = if source == "/" { source } else { source.trim_end_matches('/') };
            if SYSTEM.contains(&trimmed) && (writable || matches!(trimmed, "/" | "/etc" | "/root")) {
                sink.report_finding(at.place, format!("the service `{}` gets the system folder `{source}`", service.name));
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
                ("services:\n  a:\n    volumes:\n      - /:/host\n      - /etc:/x:ro\n", &[4, 5]),
                ("services:\n  a:\n    volumes: [\"/etc/localtime:/etc/localtime:ro\", \"./x:/y\"]\n", &[]),
            ],
        );
    }
}
