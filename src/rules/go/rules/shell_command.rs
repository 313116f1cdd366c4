//! Commands of a shell made from values.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, composed_parts, is_composed_of_values, string_literal};
use crate::go::requests::stems_from_request;
use crate::go::scopes::assigned_value;

pub use crate::common::shell_command::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_shell_command);

/// Shells that run the text behind `-c`; what stands behind that text are values that they do not read as one.
const POSIX_SHELLS: &[&str] = &["ash", "bash", "dash", "sh", "zsh"];
/// Shells that run all that stands behind their options.
const OTHER_SHELLS: &[&str] = &["cmd", "cmd.exe", "powershell", "pwsh"];

fn check_shell_command<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let skipped = match called_member(context, node) {
        Some(("os/exec", "Command")) => 0,
        Some(("os/exec", "CommandContext")) => 1,
        _ => return,
    };
    if context.is_test_file() {
        return;
    }
    let arguments: Vec<Node<'c>> = arguments_of(node).into_iter().skip(skipped).collect();
    let Some(program) = arguments.first().copied() else { return };
    let program_name = string_literal(context, program).and_then(|name| name.rsplit('/').next()).unwrap_or_default();
    let is_posix = POSIX_SHELLS.contains(&program_name);
    let is_shell = arguments.len() > 2 && (is_posix || OTHER_SHELLS.contains(&program_name));
    let asks_for_text = |argument: &Node<'c>| {
        let option = string_literal(context, *argument).and_then(|text| text.strip_prefix('-'));
        option.is_some_and(|option| option.ends_with('c') && !option.starts_with('-'))
    };
    let text = arguments.iter().position(asks_for_text).map_or(arguments.len(), |option| option + 1);
    let (from, most) = if is_posix { (text, 1) } else { (2, usize::MAX) };
    let is_open = |argument: &Node<'c>| {
        let value = if argument.kind() == "identifier" { assigned_value(context, *argument) } else { None };
        let parts = composed_parts(context, value.unwrap_or(*argument));
        parts.is_some_and(|parts| is_composed_of_values(context, &parts)) || stems_from_request(context, *argument)
    };
    let told = if is_shell { arguments.iter().skip(from).take(most).any(is_open) } else { stems_from_request(context, program) };
    if told {
        out.push(context.report(&RULE, node, "a value decides what the shell runs"));
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
                "import (\n\"fmt\"\n\"os/exec\"\n)\nfunc f(n string) { c := fmt.Sprintf(\"ls %s\", n); exec.CommandContext(ctx, \"/bin/bash\", \"-c\", c) }",
                "import \"os/exec\"\nfunc f(n string) { exec.Command(\"bash\", \"-e\", \"-lc\", \"ls \" + n) }",
                "import \"os/exec\"\nfunc f(n string) { exec.Command(\"cmd\", \"/c\", \"dir\", \"a\" + n) }",
                "import \"os/exec\"\nfunc f(r *http.Request) { exec.Command(r.FormValue(\"c\")) }",
                "import (\n\"os\"\n\"os/exec\"\n)\nfunc f() { exec.Command(\"sh\", \"-c\", \"ls \" + os.Args[1]) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"os/exec\"\nfunc f() { exec.Command(\"sh\", \"-c\", \"ls \" + \"-l\") }",
                "import \"os/exec\"\nfunc f(n string) { exec.Command(\"ls\", \"-l\", \"a\" + n) }",
                "import \"os/exec\"\nfunc f(n string) { v := \"v\" + n; exec.Command(\"sh\", \"-s\", v) }",
                "import \"os/exec\"\nfunc f(n string) { exec.Command(\"sh\", \"-c\", \"ls \\\"$1\\\"\", \"sh\", \"a\" + n) }",
            ],
        );
    }
}
