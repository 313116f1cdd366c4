//! Servers that cannot be started.

use super::super::model::servers;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "mcp-incomplete-server",
        Category::Maintainability,
        Severity::High,
        "The editor does not know what to start.",
        "give it `command` for a program, or `url` for an address",
    ),
    hadolint: &[],
    run,
};

const TYPES: [&str; 4] = ["http", "sse", "stdio", "streamable-http"];

fn run(root: &Node, sink: &mut Sink<'_>) {
    for server in servers(root) {
        let (command, address) = (server.text("command"), server.text("url"));
        match (command, address) {
            (None, None) => {
                sink.say(server.key.place, format!("the server `{}` has neither `command` nor `url`", server.name))
            }
            (Some(_), Some(_)) => {
                sink.say(server.key.place, format!("the server `{}` has both `command` and `url`", server.name))
            }
            _ => {}
        }
        if let Some(kind) =
            server.node.get("type").filter(|kind| !kind.text().is_some_and(|kind| TYPES.contains(&kind)))
        {
            sink.say(kind.place, format!("the type of `{}` is none of {}", server.name, TYPES.join(", ")));
        }
        if server.node.get("args").is_some_and(|list| list.text().is_some()) {
            sink.say(server.key.place, format!("`args` of `{}` is no list", server.name));
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
                    "{\"mcpServers\": {\n\"a\": {},\n\"b\": {\"command\": \"x\", \"url\": \"https://y\"},\n\"c\": {\"command\": \"x\", \"type\": \"pipe\"},\n\"d\": {\"command\": \"x\", \"args\": \"y\"}}}",
                    &[2, 3, 4, 5],
                ),
                (
                    "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": []}, \"b\": {\"type\": \"http\", \"url\": \"https://y\"}}}",
                    &[],
                ),
            ],
        );
    }
}
