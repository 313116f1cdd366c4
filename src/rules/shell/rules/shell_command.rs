//! Commands of a shell made from values.

use super::prelude::*;

pub use crate::common::shell_command::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_shell_command);

fn check_shell_command<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node) else { return };
    let code = match call.name {
        "bash" | "dash" | "ksh" | "sh" | "su" | "zsh" => {
            let option = call.option(context, &["-c", "-ec", "-lc", "-euc", "-xc"]);
            option.and_then(|option| call.behind(option))
        }
        _ => None,
    };
    let Some(code) = code.filter(|code| code.kind() == "string" || code.kind() == "concatenation") else { return };
    // A text that is nothing but the value is meant to be a command.
    let whole = unquoted(context.text(code));
    let is_whole = whole.starts_with('$') && !whole.contains(char::is_whitespace);
    if !is_whole && context.holds_outside_value(code) {
        out.push(context.report(&RULE, code, "an argument becomes a part of a command's text"));
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
                r#"sh -c "tar -xf $1""#,
                r#"file=$1
bash -c "cd /srv && cat $file""#,
                r#"read -r name
su -c "userdel $name" root"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"sh -c 'tar -xf "$1"' sh "$1""#,
                r#"sh -c "$1""#,
                r#"dir=/srv
sh -c "cd $dir""#,
                r#"f() { sh -c "cat $1"; }
f a"#,
                r#"tar -xf "$1""#,
            ],
        );
    }
}
