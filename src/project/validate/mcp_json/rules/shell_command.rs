//! Servers started through a shell.

use super::super::model::servers;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-shell-command",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The shell reads the text again, so a strange name in it becomes a command.",
    help: "start the program itself",
    explanation: "A shell reads its text again before anything is started: spaces, quotes, dollars and semicolons in a \
        path or a value change what runs. Start the program itself and give it its arguments as a list. `cmd /c npx` \
        on Windows is not meant.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"mcpServers": {"files": {"command": "sh", "args": ["-c", "files-server --root $HOME/work"]}}}
"#,
        good: r#"{"mcpServers": {"files": {"command": "files-server", "args": ["--root", "${HOME}/work"]}}}
"#,
    }],
    cwe: Some("CWE-78"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_shell_command;

fn check_shell_command(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for server in servers(root) {
        let shell = server.program().is_some_and(|program| {
            matches!(program, "sh" | "bash" | "zsh" | "cmd" | "cmd.exe" | "powershell" | "pwsh")
        });
        let text =
            server.arguments().iter().any(|argument| matches!(argument.text(), Some("-c" | "-lc" | "/c" | "-Command")));
        // On Windows `cmd /c npx` is how scripts are started.
        let wrapper = server.program().is_some_and(|program| program.starts_with("cmd"));
        if shell && text && !wrapper {
            sink.report_finding(server.key.place, format!("the server `{}` is started through a shell", server.name));
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
                ("{\"mcpServers\": {\"a\": {\"command\": \"sh\", \"args\": [\"-c\", \"x | y\"]}}}", &[1]),
                (
                    "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"cmd\", \"args\": [\"/c\", \"npx\", \"y@1\"]}}}",
                    &[],
                ),
            ],
        );
    }
}
