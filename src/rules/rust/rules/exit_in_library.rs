//! Libraries that end the process of their users.

use super::prelude::*;
use crate::rust::calls::is_call_of;
use crate::rust::context::CrateRole;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "exit-in-library",
    aliases: &["clippy:exit"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "`process::exit` in a library ends the program of whoever uses it, without running what was to be \
        done at its end.",
    help: "Return an error, and let `main` decide.",
    explanation: "`exit` ends the process at once: no destructor runs, buffers are not flushed, temporary files \
        stay. In a library the program around it has no say. Return an error; `main` may return an \
        `ExitCode`.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn load(path: &Path) -> Settings {
    read(path).unwrap_or_else(|_| std::process::exit(1))
}
",
        good: "pub fn load(path: &Path) -> Result<Settings, LoadError> {
    read(path)
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_exit_in_library);

/// What belongs to a command line, by the names that people give it.
const OF_PROGRAMS: &[&str] = &["app", "args", "bin", "cli", "cmd", "command", "commands", "main"];

fn check_exit_in_library<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, &["process::exit"])
        || context.facts.role != CrateRole::Library
        || context.is_aside(node)
    {
        return;
    }
    let mut parts = context.path().trim_end_matches(".rs").split('/').flat_map(split_identifier_words);
    let is_of_program = parts.any(|word| OF_PROGRAMS.contains(&word.as_str()));
    let function = context.tree().ancestors_of(node).filter(|at| at.kind() == "function_item").last();
    // A function that never returns says so.
    let says_so = function.is_some_and(|function| {
        let name = field(function, "name").map_or("", |name| context.text(name));
        let returns = field(function, "return_type").map_or("", |of| context.text(of));
        returns == "!" || name.contains("exit") || name == "main"
    });
    if !is_of_program && !says_so {
        out.push(context.report(&RULE, node, "this ends the program of whoever uses it"));
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
            &["use std::process;
pub fn f() { if g() { process::exit(2); } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &["pub fn exit_with(code: i32) -> ! { std::process::exit(code) }", "fn main() { std::process::exit(1) }"],
        );
    }
}
