//! Temporary files that stay.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "temporary-left-behind",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "The temporary file stays when the script ends, also when it fails.",
    help: "Remove it in `trap 'rm -rf \"$name\"' EXIT`.",
    explanation: "Files in the folder for temporary ones pile up until somebody cleans it, and what was written \
        into them stays readable for that long. A `trap` on EXIT runs however the script ends.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
sorted=$(mktemp)
sort names.txt > "$sorted"
wc -l < "$sorted"
"#,
        good: r#"#!/bin/sh
sorted=$(mktemp)
trap 'rm -f "$sorted"' EXIT
sort names.txt > "$sorted"
wc -l < "$sorted"
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::File(check_temporary_left_behind);

fn check_temporary_left_behind(context: &ShellContext<'_>, out: &mut Vec<Finding>) {
    let calls = context.tree().all_nodes().filter_map(|node| Some((node, command_call(context, node)?)));
    let mut made = None;
    for (node, call) in calls {
        match call.name {
            // `-u` makes only a name; a caller that is told the name removes the file itself.
            "mktemp" if call.short_option(context, 'u').is_none() && is_kept(context, node) => {
                made = made.or(Some(node));
            }
            "rm" | "rmdir" | "trap" | "mv" | "unlink" | "shred" => return,
            _ => {}
        }
    }
    if let Some(node) = made.filter(|_| !context.is_test_file()) {
        out.push(context.report(&RULE, node, "what `mktemp` makes is never removed"));
    }
}

/// True where the name goes to a variable of this script, which is not handed on.
fn is_kept(context: &ShellContext<'_>, node: Node<'_>) -> bool {
    let assigned = context.tree().ancestors_of(node).find(|at| at.kind() == "variable_assignment");
    let name = assigned.and_then(|at| field(at, "name")).map_or("", |name| context.text(name));
    let told = |text: &str| text.contains(&format!("echo \"${name}\"")) || text.contains(&format!("echo ${name}"));
    !name.is_empty() && !told(context.tree().source_text())
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
                r#"a=$(mktemp)
sort b > "$a""#,
                r#"dir=$(mktemp -d)
cd "$dir""#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"a=$(mktemp)
sort b > "$a"
rm "$a""#,
                r#"a=$(mktemp)
trap 'rm -f "$a"' EXIT"#,
                r#"mktemp"#,
                r#"a=$(mktemp)
echo "$a""#,
                r#"a=$(mktemp)
sort b > "$a"
mv "$a" b"#,
            ],
        );
    }
}
