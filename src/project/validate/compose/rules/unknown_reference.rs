//! References to services, volumes, networks, secrets and configurations that do not exist.

use std::collections::HashSet;

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-unknown-reference",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "What is referred to is not there, so nothing starts.",
    help: "define it, or correct the name",
    explanation: "A service, network, volume, secret or config is named that the file does not define, so nothing \
        starts. Define it at the top level, or correct the name.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    image: app:1.4
    depends_on: [db]
",
        good: "services:
  web:
    image: app:1.4
    depends_on: [db]
  db:
    image: postgres:17.2
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_unknown_reference;

fn check_unknown_reference(root: &YamlNode, sink: &mut FindingSink<'_>) {
    let defined = |section: &str| -> HashSet<&str> {
        let entries = root.get(section).map(YamlNode::entries).unwrap_or_default();
        entries.into_iter().filter_map(|(key, _)| key.text()).collect()
    };
    // Files that are included or extended may define the rest.
    if root.get("include").is_some() {
        return;
    }
    let references = [
        ("depends_on", "services", "service"),
        ("links", "services", "service"),
        ("networks", "networks", "network"),
        ("secrets", "secrets", "secret"),
        ("configs", "configs", "configuration"),
        ("volumes", "volumes", "volume"),
    ]
    .map(|(key, section, kind)| (key, section, kind, defined(section)));
    for service in services(root) {
        for (key, section, kind, known) in &references {
            for (name, at) in service.get(key).map(|node| referred(key, node)).unwrap_or_default() {
                let given = *section == "networks" && name == "default" || name.contains('$');
                if !given && !known.contains(name) {
                    sink.report_finding(at.place, format!("there is no {kind} `{name}`, which `{}` refers to", service.name));
                }
            }
        }
    }
}

/// The names that a list or a map of a service refers to.
fn referred<'n>(key: &str, node: &'n YamlNode) -> Vec<(&'n str, &'n YamlNode)> {
    let of_map = node.entries().into_iter().filter_map(|(name, _)| Some((name.text()?, name)));
    let of_list = node.items().iter().filter_map(|item| {
        let name = match (key, item.text()) {
            ("volumes", Some(text)) => text.split_once(':')?.0,
            ("links", Some(text)) => text.split(':').next()?,
            (_, Some(text)) => text,
            ("volumes", None) if item.get("type").and_then(YamlNode::text) != Some("volume") => return None,
            (_, None) => item.get("source")?.text()?,
        };
        Some((name, item.as_ref()))
    });
    let named =
        |name: &str| key != "volumes" || !name.starts_with(['/', '.', '~', '$']) && name.get(1..2) != Some("\\");
    of_map.chain(of_list).filter(|(name, _)| named(name)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
            &[
                (
                    "services:\n  a:\n    image: x:1\n    depends_on: [b]\n    volumes: [data:/x]\n    networks:\n      back: {}\n",
                    &[4, 5, 7],
                ),
                (
                    "services:\n  a:\n    image: x:1\n    depends_on:\n      b: {condition: service_healthy}\n    volumes: [data:/x, \"./y:/y\", /z]\n  b:\n    image: x:1\nvolumes:\n  data:\n",
                    &[],
                ),
            ],
        );
    }
}
