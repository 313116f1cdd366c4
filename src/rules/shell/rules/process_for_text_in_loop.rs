//! A process for each value in a loop.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "process-for-text-in-loop",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "Two processes are started for each value, which takes a thousand times as long as the shell's own means.",
    help: "Use `${name#…}`, `${name%…}`, `${name/a/b}` or `IFS=… read`, or give the whole list to one `sed` or `awk`.",
    explanation: "Starting a process takes about a millisecond, taking a prefix off a value less than a \
        microsecond. `${line%%=*}` is what stands before the first `=`, `${path##*/}` the last part of \
        a path; bash replaces with `${name//a/b}`. What they cannot do, one `awk` does for all lines at \
        once.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
while read -r line; do
    key=$(echo "$line" | cut -d= -f1)
    echo "$key"
done < settings.txt
"#,
        good: r#"#!/bin/sh
while read -r line; do
    key=${line%%=*}
    echo "$key"
done < settings.txt
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command_substitution"], check_process_for_text_in_loop);

fn check_process_for_text_in_loop<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(pipeline) = named_children(node).next().filter(|inner| inner.kind() == "pipeline") else { return };
    let Some(around) = context.loop_around(node).filter(|around| has_many_turns(context, *around)) else { return };
    if field(around, "body").is_none_or(|body| !body.byte_range().contains(&node.start_byte())) {
        return;
    }
    let calls: Vec<_> = piped_commands(pipeline).into_iter().filter_map(|one| command_call(context, one)).collect();
    let [first, rest @ ..] = calls.as_slice() else { return };
    let says_value = matches!(first.name, "echo" | "printf") && !first.arguments.is_empty();
    let cuts = |call: &CommandCall<'c>| match call.name {
        "basename" | "cut" | "head" | "tail" => true,
        // sh cannot change the case of a text.
        "tr" => !call.texts(context).iter().any(|text| text.contains("[:")),
        // What keeps parts of the text has no short form in the shell.
        "sed" => !call.texts(context).iter().any(|text| text.contains("\\(") || text.contains(['&', '$'])),
        _ => false,
    };
    if says_value && !rest.is_empty() && rest.iter().all(cuts) {
        let message = format!("each turn starts `{}` for one value", rest.first().map_or("", |call| call.name));
        out.push(context.report(&RULE, node, message));
    }
}

/// False for a loop over the arguments, which are few.
fn has_many_turns<'c>(context: &ShellContext<'c>, around: Node<'c>) -> bool {
    let head = context.tree().children_of(around).filter(|child| child.kind() != "do_group");
    let text = head.map(|child| context.text(child)).collect::<Vec<_>>().join(" ");
    let asks_arguments = ["$#", "$@", "${@", "$*", "$1"].iter().any(|word| text.contains(word));
    let shifts = || context.tree().subtree_of(around).any(|at| context.text(at) == "shift");
    (around.kind() != "for_statement" || text.contains(" in ")) && !asks_arguments && !shifts()
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
                r#"for f in *; do n=$(echo "$f" | sed s/a/b/); done"#,
                r#"while read -r l; do k=$(echo "$l" | cut -d= -f1); done < a"#,
                r#"for f in *; do n=$(echo "$f" | tr a b | cut -c 1-3); done"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"n=$(echo "$f" | sed s/a/b/)"#,
                r#"while :; do n=$(echo "$1" | sed s/a/b/); shift; done"#,
                r#"for f in *; do n=$(echo "$f" | tr '[:upper:]' '[:lower:]'); done"#,
                r#"for f in *; do n=$(echo "$f" | sed "$rules"); done"#,
                r#"for a in "$@"; do n=$(echo "$a" | sed s/a/b/); done"#,
                r#"while [ $# -gt 0 ]; do n=$(echo "$1" | sed s/a/b/); shift; done"#,
                r#"for f in *; do n=$(echo "$f" | sed 's/\(a\)b/\1/'); done"#,
                r#"for f in *; do n=${f%.txt}; done"#,
                r#"for f in *; do n=$(git log "$f" | head -1); done"#,
                r#"for f in *; do g "$f" | sed s/a/b/; done"#,
            ],
        );
    }
}
