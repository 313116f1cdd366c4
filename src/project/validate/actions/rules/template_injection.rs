//! Text of strangers in commands.

use super::super::model::{expressions, steps, action_reference};
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-template-injection",
    aliases: &["zizmor:template-injection", "actionlint:expression"],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Whoever writes the title or the branch name writes the command.",
    help: "pass the value through `env` and quote the variable",
    explanation: "`${{ }}` is filled in before the shell reads the script. The title of an issue or the name of a \
        branch is chosen by strangers; with a quote and a semicolon in it, it is a command that runs with the \
        workflow's rights. Pass the value through `env` and use the quoted variable, which stays a value.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: r#"on: issues
permissions: {}
jobs:
  greet:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "New issue ${{ github.event.issue.title }}"
"#,
        good: r#"on: issues
permissions: {}
jobs:
  greet:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "New issue $TITLE"
        env:
          TITLE: ${{ github.event.issue.title }}
"#,
    }],
    cwe: Some("CWE-94"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_template_injection;

/// Contexts that strangers fill in.
const UNTRUSTED: [&str; 13] = [
    "github.event.issue.title",
    "github.event.issue.body",
    "github.event.pull_request.title",
    "github.event.pull_request.body",
    "github.event.comment.body",
    "github.event.review.body",
    "github.event.review_comment.body",
    "github.event.pull_request.head.ref",
    "github.event.pull_request.head.label",
    "github.event.discussion.title",
    "github.event.discussion.body",
    "github.head_ref",
    "github.event.pages",
];

fn check_template_injection(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for step in steps(root) {
        let script = step
            .value_at_path(&["with", "script"])
            .filter(|_| action_reference(step).is_some_and(|(name, ..)| name == "actions/github-script"));
        for run in [step.get("run"), script].into_iter().flatten() {
            let inside = expressions(run.text().unwrap_or_default());
            let bad = inside.into_iter().find(|expression| is_untrusted(expression));
            if let Some(expression) = bad {
                sink.report_finding(run.place, format!("`{expression}` is put into a command as it stands"));
            }
        }
    }
}

fn is_untrusted(expression: &str) -> bool {
    let head_commit = expression.contains("github.event.head_commit.") || expression.contains("github.event.commits");
    let prose = [".message", ".name", ".email"].iter().any(|end| expression.contains(end));
    UNTRUSTED.iter().any(|context| expression.contains(context)) || head_commit && prose
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
            &[
                ("jobs:\n  a:\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n", &[4]),
                (
                    "jobs:\n  a:\n    steps:\n      - run: echo \"$T\" ${{ github.sha }}\n        env:\n          T: ${{ github.event.issue.title }}\n",
                    &[],
                ),
            ],
        );
    }
}
