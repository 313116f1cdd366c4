//! Jobs that wait for none.

use super::super::model::jobs;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "actions-unknown-need",
        Category::Maintainability,
        Severity::High,
        "The job waits for one that is not there, so the workflow is refused.",
        "correct the name",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    let all = jobs(root);
    for job in &all {
        for need in job.node.get("needs").map(Node::one_or_many).unwrap_or_default() {
            let name = need.text().unwrap_or_default();
            if !all.iter().any(|job| job.name == name) {
                sink.say(need.place, format!("there is no job `{name}`, which `{}` needs", job.name));
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
                ("jobs:\n  a:\n    needs: b\n  c:\n    needs: [a, d]\n", &[3, 5]),
                ("jobs:\n  a: {}\n  b:\n    needs: [a]\n", &[]),
            ],
        );
    }
}
