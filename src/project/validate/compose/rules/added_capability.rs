//! Capabilities that give the machine away.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-added-capability",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The capability is nearly as good as root on the machine.",
    help: "drop all capabilities and add the few that are needed",
    explanation: "Capabilities such as `SYS_ADMIN`, `NET_ADMIN` or `SYS_PTRACE` are parts of what root may do to the \
        machine, and some are enough to become root there. Drop all of them and add back the few that the service \
        needs, such as `NET_BIND_SERVICE`.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: nginx:1.27.3
    cap_add: [SYS_ADMIN]
",
        good: "services:
  web:
    image: nginx:1.27.3
    cap_drop: [ALL]
    cap_add: [NET_BIND_SERVICE]
",
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_added_capability;

const STRONG: [&str; 9] =
    ["ALL", "BPF", "DAC_READ_SEARCH", "NET_ADMIN", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "SYS_TIME"];

fn check_added_capability(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        for added in service.get("cap_add").map(YamlNode::items).unwrap_or_default() {
            let name = added.text().unwrap_or_default().to_ascii_uppercase();
            if STRONG.contains(&name.strip_prefix("CAP_").unwrap_or(&name)) {
                sink.report_finding(added.place, format!("the service `{}` is given {name}", service.name));
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
                ("services:\n  a:\n    cap_add: [SYS_ADMIN]\n", &[3]),
                ("services:\n  a:\n    cap_add:\n      - NET_BIND_SERVICE\n", &[]),
            ],
        );
    }
}
