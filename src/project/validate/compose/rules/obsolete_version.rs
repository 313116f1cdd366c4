//! The obsolete version of the file format.

use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-obsolete-version",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "The key `version` has no meaning any more.",
    help: "leave it out",
    explanation: "Compose has read one format only since 2020 and ignores `version`, with a warning at each start. \
        Leave it out.",
    examples: &[Example {
        path: "compose.yaml",
        bad: r#"version: "3.8"
services:
  web:
    image: nginx:1.27.3
"#,
        good: "services:
  web:
    image: nginx:1.27.3
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_obsolete_version;

fn check_obsolete_version(root: &YamlNode, sink: &mut FindingSink<'_>) {
    if let Some((key, _)) = root.entry("version") {
        sink.report_finding(key.place, "`version` is obsolete");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(&super::RULE, super::RUN, &[("version: \"3\"\nservices: {}\n", &[1]), ("services: {}\n", &[])]);
    }
}
