//! Jobs that wait for none.

use std::collections::HashSet;

use super::super::model::jobs;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-unknown-need",
    aliases: &["actionlint:job-needs"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The job waits for one that is not there, so the workflow is refused.",
    help: "correct the name",
    explanation: "`needs` names a job that the workflow does not have, so GitHub refuses the whole file. Correct the \
        name; it is the key below `jobs`, not the `name` that is shown.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
permissions: {}
jobs:
  test:
    runs-on: ubuntu-24.04
    needs: biuld
    steps:
      - run: make test
",
        good: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make
  test:
    runs-on: ubuntu-24.04
    needs: build
    steps:
      - run: make test
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_unknown_need;

fn check_unknown_need(root: &YamlNode, sink: &mut FindingSink<'_>) {
    let all = jobs(root);
    let names: HashSet<&str> = all.iter().map(|job| job.name).collect();
    for job in &all {
        for need in job.node.get("needs").map(YamlNode::one_or_many).unwrap_or_default() {
            let name = need.text().unwrap_or_default();
            if !names.contains(name) {
                sink.report_finding(need.place, format!("there is no job `{name}`, which `{}` needs", job.name));
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
                ("jobs:\n  a:\n    needs: b\n  c:\n    needs: [a, d]\n", &[3, 5]),
                ("jobs:\n  a: {}\n  b:\n    needs: [a]\n", &[]),
            ],
        );
    }
}
