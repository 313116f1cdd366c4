//! Security profiles turned off.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-unconfined",
            Category::Security,
            Severity::Medium,
            "Without the profile the container may make every system call.",
            "leave the default profile on",
        ),
        "CWE-693",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        for option in service.get("security_opt").map(Node::items).unwrap_or_default() {
            let text = option.text().unwrap_or_default();
            if text.ends_with("unconfined") || text.ends_with("label:disable") || text.ends_with("label=disable") {
                sink.say(option.place, format!("the service `{}` runs with `{text}`", service.name));
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
                ("services:\n  a:\n    security_opt: [\"seccomp:unconfined\"]\n", &[3]),
                ("services:\n  a:\n    security_opt: [\"no-new-privileges:true\"]\n", &[]),
            ],
        );
    }
}
