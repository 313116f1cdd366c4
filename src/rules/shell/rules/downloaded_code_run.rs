//! Code that is run while it is fetched.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "downloaded-code-run",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "What is fetched and run in one go is never looked at, and runs half when the connection breaks.",
    help: "Fetch it into a file, compare its digest with one that is written down, then run it.",
    explanation: "Whoever controls the server, or answers in its place, decides what this machine does. And a \
        connection that breaks in the middle leaves the first half of the script done. With the file at \
        hand its digest can be compared with the one that was looked at.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
curl -fsSL https://tool.example/install.sh | sh
"#,
        good: r#"#!/bin/sh
curl -fsSL -o install.sh https://tool.example/install.sh
echo "$INSTALLER_SHA256  install.sh" | sha256sum --check --quiet
sh install.sh
"#,
    }],
    cwe: Some("CWE-494"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command", "pipeline"], check_downloaded_code_run);

const SHELLS: &[&str] =
    &["ash", "bash", "dash", "ksh", "node", "perl", "php", "python", "python3", "ruby", "sh", "zsh"];

fn check_downloaded_code_run<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let found = if node.kind() == "pipeline" { piped_into_shell(context, node) } else { run_at_once(context, node) };
    if let Some(what) = found {
        out.push(context.report(&RULE, node, format!("what `{what}` fetches is run as it comes")));
    }
}

/// `curl … | sh`.
fn piped_into_shell<'c>(context: &ShellContext<'c>, node: Node<'c>) -> Option<&'c str> {
    let calls: Vec<_> = piped_commands(node).into_iter().map(|command| command_call(context, command)).collect();
    let (fetch, runs) = calls.split_first()?;
    let from = fetch.as_ref().map(|call| call.name).filter(|name| is_download(name))?;
    let is_run = |call: &CommandCall<'c>| {
        // With a script of its own the input is data.
        SHELLS.contains(&call.name) && call.texts(context).iter().all(|text| text.starts_with('-') && *text != "-c")
            || SHELLS.contains(&call.name) && call.option(context, &["-s"]).is_some()
    };
    runs.iter().flatten().any(is_run).then_some(from)
}

/// `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(curl …)"`.
fn run_at_once<'c>(context: &ShellContext<'c>, node: Node<'c>) -> Option<&'c str> {
    let call = command_call(context, node)?;
    let runs = SHELLS.contains(&call.name) || matches!(call.name, "eval" | "source" | ".");
    let inner = call.arguments.iter().filter(|_| runs).flat_map(|argument| context.tree().subtree_of(*argument));
    let inside = inner.filter(|at| matches!(at.kind(), "command_substitution" | "process_substitution"));
    inside.flat_map(|at| context.tree().subtree_of(at)).find_map(|at| {
        let inner = command_call(context, at)?;
        is_download(inner.name).then_some(inner.name)
    })
}

fn is_download(name: &str) -> bool {
    matches!(name, "curl" | "wget" | "fetch")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                r#"curl -fsSL https://a.example/install.sh | sh"#,
                r#"wget -qO- https://a.example/i | sudo bash -"#,
                r#"bash <(curl -s https://a.example/i)"#,
                r#"sh -c "$(curl -fsSL https://a.example/i)""#,
                r#"eval "$(wget -qO- https://a.example/i)""#,
                r#"curl https://a.example/i | bash -s -- --quiet"#,
                r#". <(curl https://a.example/i)"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"curl https://a.example/x | tar -xz"#,
                r#"curl https://a.example/x | python3 parse.py"#,
                r#"curl -o i.sh https://a.example/i && sh i.sh"#,
                r#"cat install.sh | sh"#,
                r#"curl https://a.example/x | jq .name"#,
                r#"eval "$(ssh-agent)""#,
                r#"curl https://a.example/x | python3 -c 'import json'"#,
            ],
        );
    }
}
