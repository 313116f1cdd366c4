//! Commands of a shell made from values.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method, composed_text, is_call_of, string_literal, without_borrows};

pub use crate::common::shell_command::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_shell_command);

const SHELLS: &[&str] = &["ash", "bash", "cmd", "cmd.exe", "dash", "powershell", "pwsh", "sh", "zsh"];
const SWITCHES: &[&str] = &["-c", "-lc", "/C", "/c", "-Command"];

fn check_shell_command<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, &["Command::new"]) || context.is_aside(node) {
        return;
    }
    let program = arguments_of(node).first().and_then(|program| string_literal(context, *program)).unwrap_or_default();
    if !SHELLS.contains(&program.rsplit('/').next().unwrap_or(program)) {
        return;
    }
    // The methods that are called on the command, from the inside out.
    let mut given: Vec<Node<'c>> = Vec::new();
    for call in
        context.tree().ancestors_of(node).take_while(|at| !at.kind().ends_with("_declaration") && at.kind() != "block")
    {
        match called_method(context, call).map(|(_, name)| name) {
            Some("arg") => given.extend(arguments_of(call)),
            Some("args") => given
                .extend(arguments_of(call).into_iter().flat_map(|list| named_children(without_borrows(context, list)))),
            _ => {}
        }
    }
    let switch = given
        .iter()
        .position(|argument| string_literal(context, *argument).is_some_and(|text| SWITCHES.contains(&text)));
    let script = switch.and_then(|at| given.get(at + 1));
    if script.is_some_and(|script| composed_text(context, *script).is_some()) {
        out.push(context.report(&RULE, node, "a value is written into the text of this command"));
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
            &[r#"use std::process::Command;
fn f(name: &str) { Command::new("/bin/bash").args(["-c", &format!("rm -rf {}", name)]).status(); }"#],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"use std::process::Command;
fn f(name: &str) { Command::new("sh").arg("-c").arg("echo hello").status(); }"#,
                r#"use std::process::Command;
fn f(name: &str) { Command::new("tar").arg(format!("--file={name}")).status(); }"#,
                r#"use std::process::Command;
fn f(script: &str) { Command::new("sh").arg("-c").arg(script).status(); }"#,
            ],
        );
    }
}
