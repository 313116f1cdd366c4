//! Files and folders that everybody may change.

use super::prelude::*;

pub use crate::common::file_permissions::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_file_permissions);

fn check_file_permissions<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node) else { return };
    let mode = match call.name {
        "chmod" => {
            let mode = call.arguments.iter().copied().find(|argument| !context.text(*argument).starts_with('-'));
            mode.filter(|mode| is_open_mode(unquoted(context.text(*mode))))
        }
        "install" | "mkdir" => call
            .option(context, &["-m", "--mode"])
            .and_then(|option| call.behind(option))
            .filter(|mode| is_open_mode(unquoted(context.text(*mode)))),
        "umask" => {
            call.arguments.iter().copied().find(|mask| matches!(context.text(*mask), "0" | "00" | "000" | "0000"))
        }
        _ => None,
    };
    if let Some(mode) = mode {
        out.push(context.report(&RULE, mode, format!("`{} {}` lets everybody write", call.name, context.text(mode))));
    }
}

/// 777, 0666, a+w, o=rwx; a folder with the sticky bit is meant for all.
fn is_open_mode(mode: &str) -> bool {
    if mode.len() >= 3 && mode.chars().all(|c| c.is_digit(8)) {
        let sticky = mode.len() == 4 && matches!(mode.chars().next(), Some('1' | '3' | '5' | '7'));
        return !sticky && mode.chars().last().is_some_and(|last| matches!(last, '2' | '3' | '6' | '7'));
    }
    mode.split(',').any(|part| {
        let Some(at) = part.find(['+', '=']) else { return false };
        let (whom, what) = part.split_at(at);
        !whom.is_empty() && whom.chars().all(|c| "ugoa".contains(c)) && whom.contains(['o', 'a']) && what.contains('w')
    })
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
                r#"chmod 777 a"#,
                r#"chmod -R 0777 a"#,
                r#"chmod a+rwx a"#,
                r#"sudo chmod o+w a"#,
                r#"mkdir -m 777 a"#,
                r#"umask 000"#,
                r#"chmod ug+x,o+rw a"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"chmod 755 a"#,
                r#"chmod 1777 /tmp/a"#,
                r#"chmod +x a"#,
                r#"chmod u+w a"#,
                r#"chmod go-w a"#,
                r#"chmod a+rX a"#,
                r#"umask 022"#,
                r#"chmod 600 777"#,
            ],
        );
    }
}
