//! Temporary files whose names can be guessed.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "pid-named-temporary",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "In a folder that all users share, a name made of the process number can be taken by somebody else first.",
    help: "Use `mktemp`, and remove the file in a `trap`.",
    explanation: "Numbers of processes and seconds follow one another. Somebody who makes a link of the next name \
        beforehand has the script write through it into any file that it may write. `mktemp` picks a \
        name that nobody knows and makes the file at once, for its owner alone.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
sort names.txt > /tmp/names.$$
mail -s names root < /tmp/names.$$
"#,
        good: r#"#!/bin/sh
sorted=$(mktemp)
trap 'rm -f "$sorted"' EXIT
sort names.txt > "$sorted"
mail -s names root < "$sorted"
"#,
    }],
    cwe: Some("CWE-377"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["concatenation", "string", "word"], check_pid_named_temporary);

fn check_pid_named_temporary<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let parent = context.tree().parent_of(node);
    if parent.is_some_and(|around| matches!(around.kind(), "concatenation" | "string")) {
        return;
    }
    let text = unquoted(context.text(node));
    let shared = ["/tmp/", "/var/tmp/", "${TMPDIR:-/tmp}/", "$TMPDIR/"].iter().any(|folder| text.starts_with(folder));
    let guessed = ["$$", "${$}", "$RANDOM", "${RANDOM}", "$(date", "`date"].iter().any(|part| text.contains(part));
    let name = parent.filter(|around| around.kind() == "variable_assignment").and_then(|around| field(around, "name"));
    let is_made_anew = name.is_some_and(|name| makes_folder(context, context.text(name)));
    if shared && guessed && !is_made_anew {
        let shown: String = text.chars().take(60).collect();
        out.push(context.report(&RULE, node, format!("`{shown}` can be guessed before it is made")));
    }
}

/// True where a folder of that name is made, which fails when somebody else has made it.
fn makes_folder(context: &ShellContext<'_>, name: &str) -> bool {
    let values = [format!("${name}"), format!("${{{name}}}")];
    let calls = context.tree().all_nodes().filter_map(|node| command_call(context, node));
    let mut folders = calls.filter(|call| call.name == "mkdir" && call.short_option(context, 'p').is_none());
    folders.any(|call| call.texts(context).iter().any(|text| values.iter().any(|value| value == text.trim())))
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
                r#"out=/tmp/build.$$"#,
                r#"sort a > "/tmp/sorted-$$""#,
                r#"mkdir "/var/tmp/work.$RANDOM""#,
                r#"log=/tmp/log.$(date +%s)"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"out=$(mktemp)"#,
                r#"tmp=/tmp/work.$$
(umask 077 && mkdir "$tmp") || exit 1"#,
                r#"out=/tmp/build.log"#,
                r#"echo $$"#,
                r#"work=$(mktemp -d /tmp/work.XXXXXX)"#,
                r#"pidfile=/run/a.$$"#,
            ],
        );
    }
}
