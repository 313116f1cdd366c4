//! Jobs without a limit.

use super::super::model::jobs;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-missing-timeout",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "A job that hangs runs for six hours.",
    help: "set `timeout-minutes`",
    explanation: "A job that hangs is ended after six hours; until then it holds a runner and costs minutes. \
        `timeout-minutes` a little above its usual time ends it when it is clear that something is wrong.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make
",
        good: "on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - run: make
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_missing_timeout;

fn check_missing_timeout(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for job in jobs(root).iter().filter(|job| job.node.get("steps").is_some()) {
        if job.node.get("timeout-minutes").is_none() {
            sink.report_finding(job.key.place, format!("the job `{}` may run for hours", job.name));
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
            &[("jobs:\n  a:\n    steps: []\n", &[2]), ("jobs:\n  a:\n    timeout-minutes: 5\n    steps: []\n", &[])],
        );
    }
}
