//! Workflows and jobs that lack what they need.

use super::super::model::{events, jobs};
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "actions-incomplete",
        Category::Maintainability,
        Severity::High,
        "GitHub refuses the workflow.",
        "add what is missing",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    if events(root).is_empty() {
        sink.say(Place::FILE, "nothing says when the workflow runs: there is no `on`");
    }
    let all = jobs(root);
    if all.is_empty() {
        sink.say(Place::FILE, "the workflow has no jobs");
    }
    for job in &all {
        let reusable = job.node.get("uses").is_some();
        if !reusable && job.node.get("runs-on").is_none() {
            sink.say(job.key.place, format!("the job `{}` has no `runs-on`", job.name));
        }
        for step in job.steps() {
            if step.get("run").is_none() == step.get("uses").is_none() {
                sink.say(step.place, format!("a step of `{}` needs either `run` or `uses`", job.name));
            }
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
                ("jobs:\n  a:\n    steps:\n      - name: x\n", &[0, 2, 4]),
                ("on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: x\n  b:\n    uses: ./y\n", &[]),
            ],
        );
    }
}
