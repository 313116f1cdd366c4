//! Hosts that are believed unseen.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "host-key-unchecked",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Without the check of host keys the session can end at somebody else's machine.",
    help: "Put the key of the host into a known_hosts file of the project, or use `accept-new`.",
    explanation: "The key of a host shows that it is the one that was reached before. `StrictHostKeyChecking=no` \
        takes a changed key as well, so that passwords, files and commands go to whoever stands in \
        between. `accept-new` takes the first key and refuses a changed one.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
scp -o StrictHostKeyChecking=no app.tar host.example:/srv/
"#,
        good: r#"#!/bin/sh
scp -o UserKnownHostsFile=deploy/known_hosts app.tar host.example:/srv/
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_host_key_unchecked);

fn check_host_key_unchecked<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node) else { return };
    if !matches!(call.name, "ssh" | "scp" | "sftp" | "rsync" | "ssh-keyscan" | "autossh") {
        return;
    }
    let unchecked = call.arguments.iter().find(|argument| {
        let text = context.text(**argument).to_ascii_lowercase();
        ["stricthostkeychecking=no", "stricthostkeychecking no", "userknownhostsfile=/dev/null"]
            .iter()
            .any(|known| text.contains(known))
    });
    if let Some(option) = unchecked {
        out.push(context.report(&RULE, *option, format!("`{}` talks to whoever answers", call.name)));
    }
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
                r#"ssh -o StrictHostKeyChecking=no host ls"#,
                r#"scp -oStrictHostKeyChecking=no a host:"#,
                r#"rsync -e 'ssh -o UserKnownHostsFile=/dev/null' a host:"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"ssh -o StrictHostKeyChecking=accept-new host ls"#,
                r#"ssh host ls"#,
                r#"echo StrictHostKeyChecking=no"#,
            ],
        );
    }
}
