//! Pipelines that fail unnoticed in a script that should stop.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "pipe-hides-failure",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "`set -e` looks at the last command of a pipeline alone, so that a failure before it is passed over.",
    help: "Add `set -o pipefail`, or write the output into a file first.",
    explanation: "The exit code of `a | b` is that of `b`. A dump that fails halfway is packed all the same, and \
        the script reports success. With `pipefail` the pipeline fails with any of its commands; bash \
        has it, and sh since POSIX 2024.",
    examples: &[Example {
        path: "example.bash",
        bad: r#"#!/bin/bash
set -e
pg_dump shop | gzip > shop.sql.gz
"#,
        good: r#"#!/bin/bash
set -eo pipefail
pg_dump shop | gzip > shop.sql.gz
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["pipeline"], check_pipe_hides_failure);

/// Commands that fail for reasons of their own, so that what follows works on nothing.
const CAN_FAIL: &[&str] = &[
    "aws",
    "cargo",
    "cmake",
    "composer",
    "curl",
    "docker",
    "gcloud",
    "git",
    "go",
    "gradle",
    "helm",
    "kubectl",
    "make",
    "mvn",
    "mysqldump",
    "npm",
    "pg_dump",
    "pip",
    "pnpm",
    "psql",
    "pytest",
    "rsync",
    "scp",
    "ssh",
    "terraform",
    "wget",
    "yarn",
];

fn check_pipe_hides_failure<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let nested = context.tree().parent_of(node).is_some_and(|around| around.kind() == "pipeline");
    if nested || !context.stops_at_failure() || context.pipes_fail() || context.is_condition(node) {
        return;
    }
    let commands = piped_commands(node);
    let Some((_, before)) = commands.split_last() else { return };
    let failing = before.iter().filter_map(|command| command_call(context, *command));
    if let Some(call) = failing.into_iter().find(|call| CAN_FAIL.contains(&call.name)) {
        let message = format!("the script goes on when `{}` fails, since only the end of the pipe counts", call.name);
        out.push(context.report(&RULE, node, message));
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
                r#"set -e
curl -f https://a.example/x | tar -xz"#,
                r#"set -eu
pg_dump shop | gzip > shop.gz"#,
                r#"#!/bin/bash -e
git log | head -1 > a"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"set -eo pipefail
curl -f https://a.example/x | tar -xz"#,
                r#"curl https://a.example/x | tar -xz"#,
                r#"set -e
ls | wc -l"#,
                r#"set -e
if git status | grep -q a; then b; fi"#,
                r#"set -e
git status | grep -q a || b"#,
            ],
        );
    }
}
