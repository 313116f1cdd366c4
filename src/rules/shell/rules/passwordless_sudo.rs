//! Accounts that are root without being asked.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "passwordless-sudo",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Whoever gets into this account owns the machine.",
    help: "Name the commands that the account needs, each with its full path.",
    explanation: "With `NOPASSWD: ALL` there is no difference between the account and root: a fault in what runs \
        under it is a fault in everything. A line that names one command with its path gives just that.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
echo "deploy ALL=(ALL) NOPASSWD: ALL" > /etc/sudoers.d/deploy
"#,
        good: r#"#!/bin/sh
echo "deploy ALL=(root) NOPASSWD: /usr/bin/systemctl restart app" > /etc/sudoers.d/deploy
"#,
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner =
    ShellRunner::Kinds(&["raw_string", "string", "heredoc_body"], check_passwordless_sudo);

fn check_passwordless_sudo<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let text = context.text(node);
    let grants = text.lines().any(|line| {
        let line = line.trim().trim_start_matches(['"', '\'']);
        let everything = line.split_once("NOPASSWD:").is_some_and(|(_, rest)| rest.trim().starts_with("ALL"));
        everything && !line.starts_with('#')
    });
    if grants && !context.is_test_file() {
        out.push(context.report(&RULE, node, "an account may do everything as root without a password"));
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
                r#"echo "deploy ALL=(ALL) NOPASSWD: ALL" >> /etc/sudoers"#,
                r#"echo 'ci ALL=(ALL:ALL) NOPASSWD:ALL' > /etc/sudoers.d/ci"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"echo "deploy ALL=(root) NOPASSWD: /usr/bin/systemctl restart app" > /etc/sudoers.d/deploy"#,
                r#"echo "no password""#,
            ],
        );
    }
}
