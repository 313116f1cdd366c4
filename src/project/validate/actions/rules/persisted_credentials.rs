//! Tokens left in the checkout.

use super::super::model::{steps, action_reference};
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-persisted-credentials",
    aliases: &["zizmor:artipacked"],
    category: Category::Security,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "The token stays in the folder, where every later step and artifact has it.",
    help: "add `persist-credentials: false`",
    explanation: "`actions/checkout` writes the token into `.git/config`, where every later step, and every artifact \
        that contains the folder, has it. With `persist-credentials: false` it is gone after the checkout; a step that \
        has to push can be given the token itself.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8
",
        good: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8
        with:
          persist-credentials: false
",
    }],
    cwe: Some("CWE-522"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_persisted_credentials;

fn check_persisted_credentials(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for step in steps(root) {
        let Some((_, _, at)) = action_reference(step).filter(|(name, ..)| *name == "actions/checkout") else { continue };
        let persisted = step.value_at_path(&["with", "persist-credentials"]).and_then(YamlNode::text) != Some("false");
        if persisted {
            sink.report_finding(at.place, "the checkout keeps the token in the folder");
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
                ("jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n", &[4]),
                (
                    "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with: {persist-credentials: false}\n",
                    &[],
                ),
            ],
        );
    }
}
