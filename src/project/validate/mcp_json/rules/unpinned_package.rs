//! Servers that are another version each day.

use super::super::model::servers;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-unpinned-package",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The newest version is fetched and run each time, whoever has published it.",
    help: "name a version",
    explanation: "`npx` and `uvx` fetch the newest version and run it at each start. Whoever gets to publish under \
        that name runs code on this machine, with what the editor may do, and nobody has looked at it. Name a version \
        and raise it on purpose.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "@example/files-server"]}}}
"#,
        good: r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "@example/files-server@1.4.2"]}}}
"#,
    }],
    cwe: Some("CWE-829"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_mcp_unpinned_package;

fn check_mcp_unpinned_package(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for server in servers(root) {
        let Some(program) = server.program() else { continue };
        let arguments = server.arguments();
        let mut words = arguments.iter().filter(|node| !node.text().unwrap_or_default().starts_with('-'));
        let pinned: fn(&str) -> bool = match program {
            "npx" | "bunx" | "pnpx" => is_npm_package_pinned,
            "uvx" | "pipx" => is_python_package_pinned,
            "docker" | "podman" => continue,
            _ => continue,
        };
        if program == "pipx" {
            words.next();
        }
        if let Some(package) =
            words.next().filter(|package| package.text().is_some_and(|text| !pinned(text) && !text.contains('$')))
        {
            let name = package.text().unwrap_or_default();
            sink.report_finding(package.place, format!("the server `{}` runs `{name}` without a version", server.name));
        }
    }
}

fn is_npm_package_pinned(package: &str) -> bool {
    let name = package.strip_prefix('@').unwrap_or(package);
    package.starts_with(['.', '/']) || name.contains('@') && !name.ends_with("@latest")
}

fn is_python_package_pinned(package: &str) -> bool {
    package.starts_with(['.', '/']) || package.contains("==") || package.contains('@') && !package.ends_with("@latest")
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
                    "{\"mcpServers\": {\n\"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"@x/y\"]},\n\"b\": {\"command\": \"uvx\", \"args\": [\"z@latest\"]}}}",
                    &[2, 3],
                ),
                (
                    "{\"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"@x/y@1.2.3\"]}, \"b\": {\"command\": \"uvx\", \"args\": [\"z==1\"]}, \"c\": {\"command\": \"x\", \"args\": [\"y\"]}}}",
                    &[],
                ),
            ],
        );
    }
}
