//! The socket of the container engine handed to a container.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-docker-socket",
            Category::Security,
            Severity::High,
            "Who reaches Docker's socket owns the machine.",
            "put a filtering proxy before it, or do without",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        for (source, _, at) in service.host_mounts() {
            if ["docker.sock", "podman.sock", "containerd.sock", "crio.sock"].iter().any(|name| source.ends_with(name))
            {
                sink.say(at.place, format!("the service `{}` gets `{source}`", service.name));
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
                ("services:\n  a:\n    volumes:\n      - /var/run/docker.sock:/var/run/docker.sock:ro\n", &[4]),
                (
                    "services:\n  a:\n    volumes:\n      - type: bind\n        source: /run/podman/podman.sock\n        target: /s\n",
                    &[4],
                ),
                ("services:\n  a:\n    volumes: [data:/data]\n", &[]),
            ],
        );
    }
}
