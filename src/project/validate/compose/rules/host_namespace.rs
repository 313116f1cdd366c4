//! Namespaces of the machine shared with a container.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-host-namespace",
            Category::Security,
            Severity::Medium,
            "The container shares what separates containers from the machine.",
            "leave it out and publish ports instead",
        ),
        "CWE-653",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        for name in ["network_mode", "pid", "ipc", "userns_mode", "uts"] {
            if let Some(value) = service.get(name).filter(|value| value.text() == Some("host")) {
                sink.say(value.place, format!("the service `{}` has `{name}: host`", service.name));
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
                ("services:\n  a:\n    network_mode: host\n    pid: host\n", &[3, 4]),
                ("services:\n  a:\n    network_mode: bridge\n", &[]),
            ],
        );
    }
}
