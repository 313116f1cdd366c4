//! Code of pull requests run with rights.

use super::super::model::{events, steps, uses};
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "actions-untrusted-checkout",
            Category::Security,
            Severity::High,
            "Code of strangers runs with the secrets of the project.",
            "use `pull_request`, or do not check out their code",
        ),
        "CWE-829",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    let events = events(root);
    let powerful = ["pull_request_target", "workflow_run", "issue_comment"].iter().find(|event| events.contains(event));
    let Some(event) = powerful else { return };
    for step in steps(root) {
        let checkout = uses(step).is_some_and(|(name, ..)| name == "actions/checkout");
        let reference = step.at(&["with", "ref"]).and_then(Node::text).unwrap_or_default();
        let theirs = reference.contains("pull_request.head")
            || reference.contains("head_ref")
            || reference.contains("head_sha")
            || reference.contains("refs/pull/");
        if checkout && theirs {
            sink.say(step.place, format!("code of strangers is checked out on `{event}`"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
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
