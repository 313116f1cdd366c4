//! Tokens with all rights.

use super::super::model::jobs;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "actions-write-all",
            Category::Security,
            Severity::High,
            "The token may change everything in the repository.",
            "name the rights that are needed, one by one",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    let all = jobs(root);
    let given = all.iter().map(|job| job.node).chain([root]).filter_map(|node| node.get("permissions"));
    for permissions in given.filter(|permissions| permissions.text() == Some("write-all")) {
        sink.say(permissions.place, "the token is given all rights");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("permissions: write-all\njobs: {}\n", &[1]), ("permissions: read-all\njobs: {}\n", &[])],
        );
    }
}
