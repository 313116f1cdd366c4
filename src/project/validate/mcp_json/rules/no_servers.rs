//! Lists that name no server.

use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-no-servers",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Without `mcpServers` the file names no server.",
    help: "put the servers under `mcpServers`",
    explanation: "Clients read servers below `mcpServers`. A file without that key, or with an empty one, names none, \
        although somebody believes it does. Put the servers where they are looked for.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"server": {"command": "files-server"}}
"#,
        good: r#"{"mcpServers": {"files": {"command": "files-server"}}}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_no_servers;

fn check_no_servers(root: &YamlNode, sink: &mut FindingSink<'_>) {
    let list = root.get("mcpServers").or_else(|| root.get("servers"));
    if list.is_none_or(|list| list.entries().is_empty() && !list.is_nothing() && list.text().is_some()) {
        sink.report_finding(FileLocation::FILE, "there is no object `mcpServers`");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
            &[("{}", &[0]), ("{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}", &[])],
        );
    }
}
