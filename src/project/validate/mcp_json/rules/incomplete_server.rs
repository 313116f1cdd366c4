//! Servers that cannot be started.

use super::super::model::servers;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-incomplete-server",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The editor does not know what to start.",
    help: "give it `command` for a program, or `url` for an address",
    explanation: "An editor starts a server by `command` (with a list `args`) or reaches it at a `url`. With neither, \
        with both or with a type it does not know it leaves the server out, often without a word. Give each server one \
        of them.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"mcpServers": {"files": {"args": ["--root", "."]}}}
"#,
        good: r#"{"mcpServers": {"files": {"command": "files-server", "args": ["--root", "."]}}}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_incomplete_server;

const TYPES: [&str; 4] = ["http", "sse", "stdio", "streamable-http"];

fn check_incomplete_server(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for server in servers(root) {
        let (command, address) = (server.text("command"), server.text("url"));
        match (command, address) {
            (None, None) => {
                sink.report_finding(server.key.place, format!("the server `{}` has neither `command` nor `url`", server.name))
            }
            (Some(_), Some(_)) => {
                sink.report_finding(server.key.place, format!("the server `{}` has both `command` and `url`", server.name))
            }
            _ => {}
        }
        if let Some(kind) =
            server.node.get("type").filter(|kind| !kind.text().is_some_and(|kind| TYPES.contains(&kind)))
        {
            sink.report_finding(kind.place, format!("the type of `{}` is none of {}", server.name, TYPES.join(", ")));
        }
        if server.node.get("args").is_some_and(|list| list.text().is_some()) {
            sink.report_finding(server.key.place, format!("`args` of `{}` is no list", server.name));
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
