//! Workflows and jobs that lack what they need.

use super::super::model::{events, jobs};
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-incomplete",
    aliases: &["actionlint:syntax-check"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "GitHub refuses the workflow.",
    help: "add what is missing",
    explanation: "A workflow needs an event that starts it (`on`), jobs, a machine for each job (`runs-on`, or `uses` \
        for a workflow that is called), and in each step either `run` or `uses`. Without one of them GitHub refuses \
        the file and nothing runs, often unnoticed.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
permissions: {}
jobs:
  build:
    steps:
      - name: compile
",
        good: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - name: compile
        run: make
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_incomplete;

fn check_incomplete(root: &YamlNode, sink: &mut FindingSink<'_>) {
    if events(root).is_empty() {
        sink.report_finding(FileLocation::FILE, "nothing says when the workflow runs: there is no `on`");
    }
    let all = jobs(root);
    if all.is_empty() {
        sink.report_finding(FileLocation::FILE, "the workflow has no jobs");
    }
    for job in &all {
        let reusable = job.node.get("uses").is_some();
        if !reusable && job.node.get("runs-on").is_none() {
            sink.report_finding(job.key.place, format!("the job `{}` has no `runs-on`", job.name));
        }
        for step in job.steps() {
            if step.get("run").is_none() == step.get("uses").is_none() {
                sink.report_finding(step.place, format!("a step of `{}` needs either `run` or `uses`", job.name));
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
                ("jobs:\n  a:\n    steps:\n      - name: x\n", &[0, 2, 4]),
                ("on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: x\n  b:\n    uses: ./y\n", &[]),
            ],
        );
    }
}
