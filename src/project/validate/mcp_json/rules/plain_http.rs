//! Servers reached without encryption.

use super::super::model::servers;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-plain-http",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Everybody on the way can read and change what is said.",
    help: "use https",
    explanation: "Without TLS everybody between the editor and the server reads what is said, the token in the header \
        included, and can put tool results or instructions for the model in its place. Use https; a server on this \
        machine may go without.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"mcpServers": {"tracker": {"type": "http", "url": "http://tracker.example.com/mcp"}}}
"#,
        good: r#"{"mcpServers": {"tracker": {"type": "http", "url": "https://tracker.example.com/mcp"}}}
"#,
    }],
    cwe: Some("CWE-319"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_plain_http;

fn check_plain_http(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for server in servers(root) {
        let Some(url) = server.node.get("url") else { continue };
        let Some(rest) = url.text().unwrap_or_default().strip_prefix("http://") else { continue };
        let host = rest.split(['/', ':', '?']).next().unwrap_or_default();
        if !matches!(host, "localhost" | "127.0.0.1" | "[") && !rest.starts_with("[::1]") && !host.contains('$') {
            sink.report_finding(url.place, format!("the server `{}` is reached without encryption", server.name));
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
                ("{\"mcpServers\": {\"a\": {\"url\": \"http://x.io/mcp\"}}}", &[1]),
                (
                    "{\"mcpServers\": {\"a\": {\"url\": \"http://localhost:1/mcp\"}, \"b\": {\"url\": \"https://x\"}}}",
                    &[],
                ),
            ],
        );
    }
}
