//! Files and folders that everybody may change.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_call_of, is_method_of};

pub use crate::common::file_permissions::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_file_permissions);

fn check_file_permissions<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    // New files lose what the mask of the process takes; nothing is taken from permissions that are set.
    let wanted = if is_call_of(context, node, &["Permissions::from_mode"]) || is_method_of(context, node, &["set_mode"])
    {
        0o002
    } else if is_method_of(context, node, &["mode"]) && context.imports_below("std::os::unix::fs") {
        0o003
    } else {
        return;
    };
    let mode = arguments_of(node).first().map_or("", |mode| context.text(*mode));
    let value = mode.strip_prefix("0o").and_then(|digits| u32::from_str_radix(&digits.replace('_', ""), 8).ok());
    if value.is_some_and(|value| value & wanted == wanted) && !context.is_aside(node) {
        out.push(context.report(&RULE, node, format!("everybody may change what has the permissions `{mode}`")));
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
                r#"use std::os::unix::fs::OpenOptionsExt;
fn f() { OpenOptions::new().write(true).mode(0o777).open("a"); }"#,
                "fn f(mut p: Permissions) { p.set_mode(0o666); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f() { Permissions::from_mode(0o644); }",
                r#"use std::os::unix::fs::OpenOptionsExt;
fn f() { OpenOptions::new().write(true).mode(0o666).open("a"); }"#,
                "fn f(game: Game) { game.mode(0o777); }",
            ],
        );
    }
}
