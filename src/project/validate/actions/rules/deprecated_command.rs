//! Commands of the runner that are gone.

use super::super::model::steps;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-deprecated-command",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The runner does not obey the command any more.",
    help: "write to `$GITHUB_OUTPUT`, `$GITHUB_ENV` or `$GITHUB_PATH`",
    explanation: "The commands `::set-output`, `::save-state`, `::set-env` and `::add-path` wrote to the log, where \
        any text could pose as one; the runner ignores or refuses them. Write a line to the file that \
        `$GITHUB_OUTPUT`, `$GITHUB_STATE`, `$GITHUB_ENV` or `$GITHUB_PATH` names.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: r#"on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "::set-output name=version::1.2.3"
"#,
        good: r#"on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "version=1.2.3" >> "$GITHUB_OUTPUT"
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_deprecated_command;

fn check_deprecated_command(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for run in steps(root).into_iter().filter_map(|step| step.get("run")) {
        let text = run.text().unwrap_or_default();
        let old = ["::set-output", "::set-env", "::add-path", "::save-state"].iter().find(|old| text.contains(*old));
        if let Some(old) = old {
            sink.report_finding(run.place, format!("`{old}` is gone"));
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
                ("jobs:\n  a:\n    steps:\n      - run: echo \"::set-output name=a::b\"\n", &[4]),
                ("jobs:\n  a:\n    steps:\n      - run: echo a=b >> $GITHUB_OUTPUT\n", &[]),
            ],
        );
    }
}
