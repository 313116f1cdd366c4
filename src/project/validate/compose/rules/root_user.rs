//! Services that ask to be root.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-root-user",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The service runs as root.",
    help: "name a user without rights",
    explanation: "A process that runs as root in its container is root on the machine as soon as it finds a way out, \
        and owns every file of a mounted folder. Name a user without rights by number.",
    examples: &[Example {
        path: "compose.yaml",
        bad: r#"services:
  web:
    image: app:1.4
    user: "0:0"
"#,
        good: r#"services:
  web:
    image: app:1.4
    user: "1000:1000"
"#,
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_compose_root_user;

fn check_compose_root_user(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        let user = service
            .get("user")
            .filter(|user| user.text().is_some_and(|name| matches!(name.split(':').next(), Some("root" | "0"))));
        if let Some(user) = user {
            sink.report_finding(user.place, format!("the service `{}` runs as root", service.name));
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
            &[("services:\n  a:\n    user: \"0:0\"\n", &[3]), ("services:\n  a:\n    user: \"1000\"\n", &[])],
        );
    }
}
