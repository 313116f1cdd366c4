//! Secrets written into a list of servers.

use super::super::model::servers;
use crate::validate::yaml_rules::prelude::*;
use crate::validate::secret_value;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-inline-secret",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The file lies in the repository, and the secret with it.",
    help: "use a variable of the environment: `${NAME}`",
    explanation: "The file lies in the repository and is read by every editor and assistant that opens it, so the \
        secret is known to all of them and stays in the history. Editors put in variables of the environment: write \
        `${NAME}`.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"mcpServers": {"tracker": {"command": "tracker-server", "env": {"API_KEY": "abc123def456"}}}}
"#,
        good: r#"{"mcpServers": {"tracker": {"command": "tracker-server", "env": {"API_KEY": "${API_KEY}"}}}}
"#,
    }],
    cwe: Some("CWE-798"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_mcp_inline_secret;

fn check_mcp_inline_secret(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for server in servers(root) {
        let sections = [server.node.get("env"), server.node.get("headers")];
        for (name, value, place) in sections.into_iter().flatten().flat_map(YamlNode::pairs) {
            let bearer = name.eq_ignore_ascii_case("authorization") && !secret_value::is_filled_in(value);
            if bearer || secret_value::is_written(name, value) {
                sink.report_finding(place, format!("`{name}` of the server `{}` is written here", server.name));
            }
        }
        let arguments = server.arguments();
        for pair in arguments.windows(2) {
            let [flag, value] = pair else { continue };
            if let (Some(flag), Some(text)) = (flag.text().and_then(|flag| flag.strip_prefix("--")), value.text())
                && !flag.contains('=')
                && !text.starts_with('-')
                && secret_value::is_written(flag, text)
            {
                sink.report_finding(value.place, format!("`--{flag}` of the server `{}` is written here", server.name));
            }
        }
        for argument in &arguments {
            let pair = argument.text().and_then(|text| text.trim_start_matches('-').split_once('='));
            if pair.is_some_and(|(name, value)| secret_value::is_written(name, value)) {
                sink.report_finding(argument.place, format!("an argument of the server `{}` is a secret", server.name));
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
                    "{\"mcpServers\": {\"a\": {\"command\": \"x\",\n\"env\": {\"API_KEY\": \"abc123\",\n\"B\": \"${API_KEY}\"},\n\"args\": [\"--token\",\n\"abc123\"]}}}",
                    &[2, 5],
                ),
                (
                    "{\"mcpServers\": {\"a\": {\"url\": \"https://x\",\n\"headers\": {\"Authorization\": \"Bearer abc\"}}}}",
                    &[2],
                ),
                ("{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\": {\"API_KEY\": \"${API_KEY}\"}}}}", &[]),
            ],
        );
    }
}
