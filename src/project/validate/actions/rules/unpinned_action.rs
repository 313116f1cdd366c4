//! Actions by a tag that can move.

use super::super::model::{jobs, steps, uses};
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "actions-unpinned-action",
            Category::Security,
            Severity::Medium,
            "A tag can be moved, so tomorrow other code runs with the workflow's rights.",
            "name the commit: `owner/name@<40 hex digits>`",
        ),
        "CWE-829",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    let reusable = jobs(root);
    for (name, version, at) in steps(root).into_iter().chain(reusable.iter().map(|job| job.node)).filter_map(uses) {
        let local = name.starts_with("./") || name.starts_with("docker://");
        let fixed =
            version.is_some_and(|version| version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if local || fixed {
            continue;
        }
        match version {
            Some(version) => sink.say(at.place, format!("`{name}` is taken at `{version}`, which can move")),
            None => sink.say(at.place, format!("`{name}` has no version")),
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
                ("jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n      - uses: x/y\n", &[4, 5]),
                (
                    "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5\n      - uses: ./here\n",
                    &[],
                ),
            ],
        );
    }
}
