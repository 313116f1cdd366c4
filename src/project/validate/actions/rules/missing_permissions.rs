//! Tokens with rights that nobody chose.

use super::super::model::jobs;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-missing-permissions",
    aliases: &["zizmor:excessive-permissions"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Without it the token may have every right the repository's settings give.",
    help: "add `permissions: {contents: read}` at the top",
    explanation: "Without `permissions` the workflow's token gets what the settings of the repository give by default, \
        for many of them the right to write. A dependency that was taken over then pushes code or publishes a release. \
        Give the least at the top, and more only to the job that needs it.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make
",
        good: "on: push
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make
",
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_missing_permissions;

fn check_missing_permissions(root: &YamlNode, sink: &mut FindingSink<'_>) {
    if root.get("permissions").is_some() {
        return;
    }
    let all = jobs(root);
    if !all.is_empty() && all.iter().all(|job| job.node.get("permissions").is_none()) {
        sink.report_finding(FileLocation::FILE, "the workflow does not say which rights its token has");
        return;
    }
    for job in all.iter().filter(|job| job.node.get("permissions").is_none()) {
        sink.report_finding(job.key.place, format!("the job `{}` does not say which rights its token has", job.name));
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
                ("jobs:\n  a:\n    steps: []\n", &[0]),
                ("jobs:\n  a:\n    permissions: {}\n  b:\n    steps: []\n", &[4]),
                ("permissions: {}\njobs:\n  a:\n    steps: []\n", &[]),
            ],
        );
    }
}
