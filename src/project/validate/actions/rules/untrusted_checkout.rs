//! Code of pull requests run with rights.

use super::super::model::{events, steps, action_reference};
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-untrusted-checkout",
    aliases: &["zizmor:dangerous-triggers"],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Code of strangers runs with the secrets of the project.",
    help: "use `pull_request`, or do not check out their code",
    explanation: "`pull_request_target` and `workflow_run` run with the secrets of the project and a token that may \
        write. Checking out the code of the pull request there and building it lets every stranger run code with both. \
        Use `pull_request`, which has neither, or leave their code alone.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: pull_request_target
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8
        with:
          ref: ${{ github.event.pull_request.head.sha }}
      - run: make
",
        good: "on: pull_request
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8
      - run: make
",
    }],
    cwe: Some("CWE-829"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_untrusted_checkout;

fn check_untrusted_checkout(root: &YamlNode, sink: &mut FindingSink<'_>) {
    let events = events(root);
    let powerful = ["pull_request_target", "workflow_run", "issue_comment"].iter().find(|event| events.contains(event));
    let Some(event) = powerful else { return };
    for step in steps(root) {
        let checkout = action_reference(step).is_some_and(|(name, ..)| name == "actions/checkout");
        let reference = step.value_at_path(&["with", "ref"]).and_then(YamlNode::text).unwrap_or_default();
        let theirs = reference.contains("pull_request.head")
            || reference.contains("head_ref")
            || reference.contains("head_sha")
            || reference.contains("refs/pull/");
        if checkout && theirs {
            sink.report_finding(step.place, format!("code of strangers is checked out on `{event}`"));
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
                (
                    "on: pull_request_target\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n",
                    &[5],
                ),
                (
                    "on: [pull_request]\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with: {ref: \"${{ github.event.pull_request.head.sha }}\"}\n",
                    &[],
                ),
            ],
        );
    }
}
