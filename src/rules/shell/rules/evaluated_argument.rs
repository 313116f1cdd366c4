//! Code made of what the caller says.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "evaluated-argument",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "`eval` of an argument or of a line that is read runs whatever stands in it.",
    help: "Call the command with `\"$@\"`, or choose among known words with `case`.",
    explanation: "`eval` reads its words a second time as code: with `;` or `$(…)` in an argument its author runs \
        commands of his own, with the rights of the script. `\"$@\"` calls a command with its arguments \
        as they are; bash has `printf -v` and `${!name}` for variables that are named by others.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
eval "$1"
"#,
        good: r#"#!/bin/sh
"$@"
"#,
    }],
    cwe: Some("CWE-95"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_evaluated_argument);

fn check_evaluated_argument<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node).filter(|call| call.name == "eval") else { return };
    let outside = call.arguments.iter().find(|argument| {
        // In single quotes a value is read by `eval` itself, and is not code.
        context.holds_outside_value(**argument) && !context.text(**argument).starts_with('\'')
    });
    if let Some(argument) = outside {
        let text: String = context.text(*argument).chars().take(40).collect();
        out.push(context.report(&RULE, node, format!("`{text}` is run as code, whatever the caller wrote in it")));
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
                r#"eval "$1""#,
                r#"eval "$@""#,
                r#"name=$1
eval "value=$name""#,
                r#"read -r line
eval "$line""#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"eval "$(ssh-agent -s)""#,
                r#"cmd="tar $1"
eval "$cmd""#,
                r#"eval "$(quote "$1")""#,
                r#"f() { eval "$1"; }
f "a=1""#,
                r#"name=home
eval "echo \$$name""#,
                r#"eval 'echo "$1"'"#,
                r#"echo "$1""#,
            ],
        );
    }
}
