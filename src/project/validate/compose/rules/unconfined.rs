//! Security profiles turned off.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-unconfined",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Without the profile the container may make every system call.",
    help: "leave the default profile on",
    explanation: "The default profiles of seccomp and AppArmor take away the system calls and files that containers \
        never need and attacks often do. `unconfined` gives all of them back. Leave the default on, or give a profile \
        of your own.",
    examples: &[Example {
        path: "compose.yaml",
        bad: r#"services:
  web:
    image: nginx:1.27.3
    security_opt: ["seccomp:unconfined"]
"#,
        good: r#"services:
  web:
    image: nginx:1.27.3
    security_opt: ["no-new-privileges:true"]
"#,
    }],
    cwe: Some("CWE-693"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_unconfined;

fn check_unconfined(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        for option in service.get("security_opt").map(YamlNode::items).unwrap_or_default() {
            let text = option.text().unwrap_or_default();
            if text.ends_with("unconfined") || text.ends_with("label:disable") || text.ends_with("label=disable") {
                sink.report_finding(option.place, format!("the service `{}` runs with `{text}`", service.name));
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
                ("services:\n  a:\n    security_opt: [\"seccomp:unconfined\"]\n", &[3]),
                ("services:\n  a:\n    security_opt: [\"no-new-privileges:true\"]\n", &[]),
            ],
        );
    }
}
