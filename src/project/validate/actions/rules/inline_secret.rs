//! Secrets written into a workflow.

use super::super::model::{jobs, steps};
use crate::validate::yaml_rules::prelude::*;
use crate::validate::secret_value;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-inline-secret",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever may read the repository knows the secret.",
    help: "store it as a secret and use `${{ secrets.NAME }}`",
    explanation: "The workflow is part of the repository, so everybody who may read it has the secret, and it stays in \
        the history when the line is changed. Store it as a secret of the repository or organisation and refer to it; \
        GitHub then also masks it in logs.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: "on: push
permissions: {}
env:
  API_TOKEN: abc123def456
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make deploy
",
        good: "on: push
permissions: {}
env:
  API_TOKEN: ${{ secrets.API_TOKEN }}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make deploy
",
    }],
    cwe: Some("CWE-798"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_workflow_inline_secret;

fn check_workflow_inline_secret(root: &YamlNode, sink: &mut FindingSink<'_>) {
    let all = jobs(root);
    let scopes = steps(root).into_iter().chain(all.iter().map(|job| job.node)).chain([root]);
    let sections = scopes.flat_map(|node| [node.get("env"), node.get("with")]).flatten();
    for (name, value, place) in sections.flat_map(YamlNode::pairs) {
        if secret_value::is_written(name, value) && name != "id-token" && !name.starts_with("persist-") {
            sink.report_finding(place, format!("`{name}` is written here"));
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
                ("env:\n  API_TOKEN: abc123\njobs: {}\n", &[2]),
                ("env:\n  API_TOKEN: ${{ secrets.X }}\njobs: {}\n", &[]),
            ],
        );
    }
}
