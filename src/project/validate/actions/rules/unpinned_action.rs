//! Actions by a tag that can move.

use super::super::model::{jobs, steps, action_reference};
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-unpinned-action",
    aliases: &["zizmor:unpinned-uses"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "A tag can be moved, so tomorrow other code runs with the workflow's rights.",
    help: "name the commit: `owner/name@<40 hex digits>`",
    explanation: "A tag or branch of an action can be moved to other code at any time, by its owner or by whoever took \
        over the account, and the next run executes it with the workflow's token and secrets. A commit cannot be \
        changed. Tools such as Dependabot and Renovate keep pinned commits up to date.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: docker/login-action@v3
",
        good: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: docker/login-action@9780b0c442fbb1117ed29e0efdff1e18412f7567 # v3.3.0
",
    }],
    cwe: Some("CWE-829"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_unpinned_action;

fn check_unpinned_action(root: &YamlNode, sink: &mut FindingSink<'_>) {
    let reusable = jobs(root);
    for (name, version, at) in steps(root).into_iter().chain(reusable.iter().map(|job| job.node)).filter_map(action_reference) {
        let local = name.starts_with("./") || name.starts_with("docker://");
        let fixed =
            version.is_some_and(|version| version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if local || fixed {
            continue;
        }
        match version {
            Some(version) => sink.report_finding(at.place, format!("`{name}` is taken at `{version}`, which can move")),
            None => sink.report_finding(at.place, format!("`{name}` has no version")),
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
                ("jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n      - uses: x/y\n", &[4, 5]),
                (
                    "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5\n      - uses: ./here\n",
                    &[],
                ),
            ],
        );
    }
}
