//! Tokens with all rights.

use super::super::model::jobs;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-write-all",
    aliases: &["zizmor:excessive-permissions"],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The token may change everything in the repository.",
    help: "name the rights that are needed, one by one",
    explanation: "`write-all` lets the token change code, releases, packages, issues and settings of the repository. \
        One step that runs foreign code is then enough to publish in the project's name. Name the rights that are \
        needed, one by one, in the job that needs them.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
permissions: write-all
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

pub(super) const RUN: ConfigRunner<YamlNode> = check_write_all;

fn check_write_all(root: &YamlNode, sink: &mut FindingSink<'_>) {
    let all = jobs(root);
    let given = all.iter().map(|job| job.node).chain([root]).filter_map(|node| node.get("permissions"));
    for permissions in given.filter(|permissions| permissions.text() == Some("write-all")) {
        sink.report_finding(permissions.place, "the token is given all rights");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
            &[("permissions: write-all\njobs: {}\n", &[1]), ("permissions: read-all\njobs: {}\n", &[])],
        );
    }
}
