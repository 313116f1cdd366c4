//! Tokens with rights that nobody chose.

use super::super::model::jobs;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "actions-missing-permissions",
            Category::Security,
            Severity::Medium,
            "Without it the token may have every right the repository's settings give.",
            "add `permissions: {contents: read}` at the top",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    if root.get("permissions").is_some() {
        return;
    }
    let all = jobs(root);
    if !all.is_empty() && all.iter().all(|job| job.node.get("permissions").is_none()) {
        sink.say(Place::FILE, "the workflow does not say which rights its token has");
        return;
    }
    for job in all.iter().filter(|job| job.node.get("permissions").is_none()) {
        sink.say(job.key.place, format!("the job `{}` does not say which rights its token has", job.name));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("jobs:\n  a:\n    steps: []\n", &[0]),
                ("jobs:\n  a:\n    permissions: {}\n  b:\n    steps: []\n", &[4]),
                ("permissions: {}\njobs:\n  a:\n    steps: []\n", &[]),
            ],
        );
    }
}
