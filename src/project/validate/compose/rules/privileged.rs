//! Containers with all rights.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-privileged",
            Category::Security,
            Severity::High,
            "A privileged container can do to the machine whatever root can.",
            "leave it out, or name the capabilities that are needed",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        if let Some((key, _)) = service.node.entry("privileged").filter(|(_, value)| value.is_true()) {
            sink.say(key.place, format!("the service `{}` is privileged", service.name));
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
                ("services:\n  a:\n    image: x:1\n    privileged: true\n", &[4]),
                ("services:\n  a:\n    privileged: false\n", &[]),
            ],
        );
    }
}
