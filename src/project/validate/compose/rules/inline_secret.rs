//! Secrets written into the file.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;
use crate::validate::secret_value;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-inline-secret",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever may read the file knows the secret, for ever.",
    help: "use `secrets`, or a variable from outside the repository: `${NAME:?}`",
    explanation: "The file is in version control, and what was in it once stays in its history. `docker inspect` shows \
        the value as well. Use `secrets`, or a variable from outside; `${NAME:?}` stops with a message when it is not \
        set.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: app:1.4
    environment:
      API_KEY: abc123
",
        good: "services:
  web:
    image: app:1.4
    environment:
      API_KEY: ${API_KEY:?}
",
    }],
    cwe: Some("CWE-798"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_compose_inline_secret;

fn check_compose_inline_secret(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        let sections = [service.get("environment"), service.node.value_at_path(&["build", "args"])];
        for (name, value, place) in sections.into_iter().flatten().flat_map(YamlNode::pairs) {
            if secret_value::is_written(name, value) {
                sink.report_finding(place, format!("`{name}` of the service `{}` is written here", service.name));
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
                ("services:\n  a:\n    environment:\n      POSTGRES_PASSWORD: hunter22\n", &[4]),
                ("services:\n  a:\n    environment:\n      - API_KEY=abc123\n      - B=${API_KEY:-abc}\n", &[4]),
                (
                    "services:\n  a:\n    environment:\n      POSTGRES_PASSWORD: ${PW:?}\n      POSTGRES_PASSWORD_FILE: /run/secrets/x\n      POSTGRES_USER: me\n",
                    &[],
                ),
            ],
        );
    }
}
