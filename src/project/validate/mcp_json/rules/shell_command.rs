//! Servers started through a shell.

use super::super::model::servers;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "mcp-shell-command",
            Category::Security,
            Severity::Medium,
            "The shell reads the text again, so a strange name in it becomes a command.",
            "start the program itself",
        ),
        "CWE-78",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for server in servers(root) {
        let shell = server.program().is_some_and(|program| {
            matches!(program, "sh" | "bash" | "zsh" | "cmd" | "cmd.exe" | "powershell" | "pwsh")
        });
        let text =
            server.arguments().iter().any(|argument| matches!(argument.text(), Some("-c" | "-lc" | "/c" | "-Command")));
        // On Windows `cmd /c npx` is how scripts are started.
        let wrapper = server.program().is_some_and(|program| program.starts_with("cmd"));
        if shell && text && !wrapper {
            sink.say(server.key.place, format!("the server `{}` is started through a shell", server.name));
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
                ("{\"mcpServers\": {\"a\": {\"command\": \"sh\", \"args\": [\"-c\", \"x | y\"]}}}", &[1]),
                (
                    "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"cmd\", \"args\": [\"/c\", \"npx\", \"y@1\"]}}}",
                    &[],
                ),
            ],
        );
    }
}
