//! Commands that run through a shell.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-shell-form",
        Category::Maintainability,
        Severity::Low,
        "Through a shell the process does not get the signal to stop.",
        "write the command as a JSON list",
    ),
    hadolint: &["DL3025"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for instruction in &file.instructions {
        let shell = match instruction.keyword.as_str() {
            "CMD" | "ENTRYPOINT" => instruction.exec.is_none(),
            "HEALTHCHECK" => {
                let command = instruction.text.strip_prefix("CMD");
                command.is_some_and(|command| !command.trim_start().starts_with('['))
            }
            _ => false,
        };
        if shell {
            sink.say(instruction.place, format!("{} is not written as a JSON list", instruction.keyword));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nCMD a b\nENTRYPOINT ['a']\n", &[2, 3]),
                ("FROM a:1\nCMD [\"a\", \"b\"]\nHEALTHCHECK NONE\n", &[]),
                ("FROM a:1\nHEALTHCHECK CMD a b\nHEALTHCHECK CMD [\"a\"]\n", &[2]),
            ],
        );
    }
}
