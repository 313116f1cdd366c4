//! Jobs without a limit.

use super::super::model::jobs;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "actions-missing-timeout",
        Category::Maintainability,
        Severity::Info,
        "A job that hangs runs for six hours.",
        "set `timeout-minutes`",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for job in jobs(root).iter().filter(|job| job.node.get("steps").is_some()) {
        if job.node.get("timeout-minutes").is_none() {
            sink.say(job.key.place, format!("the job `{}` may run for hours", job.name));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("jobs:\n  a:\n    steps: []\n", &[2]), ("jobs:\n  a:\n    timeout-minutes: 5\n    steps: []\n", &[])],
        );
    }
}
