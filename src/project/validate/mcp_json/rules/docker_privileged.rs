//! Servers in containers with all rights.

use super::super::model::servers;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-docker-privileged",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The server's container can do to the machine whatever root can.",
    help: "leave the flag out",
    explanation: "A server in a container is meant to be kept away from the machine. `--privileged`, the machine's \
        namespaces or its Docker socket undo that: what the server is talked into doing, it does as root. Leave the \
        flag out and mount the one folder that is needed.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"mcpServers": {"files": {"command": "docker", "args": ["run", "-i", "--rm", "--privileged", "files:1.4"]}}}
"#,
        good: r#"{"mcpServers": {"files": {"command": "docker", "args": ["run", "-i", "--rm", "files:1.4"]}}}
"#,
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_docker_privileged;

fn check_docker_privileged(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for server in servers(root).into_iter().filter(|server| matches!(server.program(), Some("docker" | "podman"))) {
        for argument in server.arguments() {
            let text = argument.text().unwrap_or_default();
            if text == "--privileged"
                || text.contains("docker.sock")
                || text == "--network=host"
                || text == "--net=host"
            {
                sink.report_finding(argument.place, format!("the container of `{}` is started with `{text}`", server.name));
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
                (
                    "{\"mcpServers\": {\"a\": {\"command\": \"docker\", \"args\": [\"run\",\n\"--privileged\", \"x:1\"]}}}",
                    &[2],
                ),
                ("{\"mcpServers\": {\"a\": {\"command\": \"docker\", \"args\": [\"run\", \"-i\", \"x:1\"]}}}", &[]),
            ],
        );
    }
}
