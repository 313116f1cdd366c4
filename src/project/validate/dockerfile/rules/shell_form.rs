//! Commands that run through a shell.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-shell-form",
    aliases: &["hadolint:DL3025"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Through a shell the process does not get the signal to stop.",
    help: "write the command as a JSON list",
    explanation: "Written as plain text the command is started by `/bin/sh -c`. The shell then is process number one, \
        receives the signal to stop and does not pass it on, so the container is killed after ten seconds instead of \
        ending in order. Written as a JSON list the program itself gets the signal.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM python:3.13.1-slim
CMD python -m app
",
        good: r#"FROM python:3.13.1-slim
CMD ["python", "-m", "app"]
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_shell_form;

fn check_shell_form(file: &Dockerfile, sink: &mut FindingSink<'_>) {
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
            sink.report_finding(instruction.place, format!("{} is not written as a JSON list", instruction.keyword));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nCMD a b\nENTRYPOINT ['a']\n", &[2, 3]),
                ("FROM a:1\nCMD [\"a\", \"b\"]\nHEALTHCHECK NONE\n", &[]),
                ("FROM a:1\nHEALTHCHECK CMD a b\nHEALTHCHECK CMD [\"a\"]\n", &[2]),
            ],
        );
    }
}
