//! Servers in containers with all rights.

use super::super::model::servers;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "mcp-docker-privileged",
            Category::Security,
            Severity::High,
            "The server's container can do to the machine whatever root can.",
            "leave the flag out",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for server in servers(root).into_iter().filter(|server| matches!(server.program(), Some("docker" | "podman"))) {
        for argument in server.arguments() {
            let text = argument.text().unwrap_or_default();
            if text == "--privileged"
                || text.contains("docker.sock")
                || text == "--network=host"
                || text == "--net=host"
            {
                sink.say(argument.place, format!("the container of `{}` is started with `{text}`", server.name));
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
                (
                    "{\"mcpServers\": {\"a\": {\"command\": \"docker\", \"args\": [\"run\",\n\"--privileged\", \"x:1\"]}}}",
                    &[2],
                ),
                ("{\"mcpServers\": {\"a\": {\"command\": \"docker\", \"args\": [\"run\", \"-i\", \"x:1\"]}}}", &[]),
            ],
        );
    }
}
