//! The socket of the container engine handed to a container.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-docker-socket",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Who reaches Docker's socket owns the machine.",
    help: "put a filtering proxy before it, or do without",
    explanation: "Through the socket a container can ask Docker to start another one with the machine's disk mounted: \
        it is root on the machine, also when the socket is mounted read-only. Put a proxy before it that lets only the \
        needed requests pass, or do without.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  agent:
    image: agent:2.1
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock
",
        good: "services:
  agent:
    image: agent:2.1
    environment:
      DOCKER_HOST: tcp://socket-proxy:2375
",
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_docker_socket;

fn check_docker_socket(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        for (source, _, at) in service.host_mounts() {
            if ["docker.sock", "podman.sock", "containerd.sock", "crio.sock"].iter().any(|name| source.ends_with(name))
            {
                sink.report_finding(at.place, format!("the service `{}` gets `{source}`", service.name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
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
