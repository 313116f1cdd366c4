//! Failures hidden by a pipe.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-pipe-hides-failure",
    aliases: &["hadolint:DL4006"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Only the last command of a pipe decides whether the RUN has failed.",
    help: "put `SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]` before it",
    explanation: "Of a pipe only the last command's result counts, so a download that fails in front of it goes \
        unnoticed and half a file ends up in the image. With `pipefail` the `RUN` fails when any part does.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN cat list.txt | sort > sorted.txt
",
        good: r#"FROM debian:12.8
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN cat list.txt | sort > sorted.txt
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_pipe_hides_failure;

fn check_pipe_hides_failure(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    let mut safe = false;
    let mut stage = None;
    for instruction in &file.instructions {
        if instruction.stage != stage {
            (stage, safe) = (instruction.stage, false);
        }
        if instruction.is("SHELL") {
            let shell = instruction.words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
            let other = ["pwsh", "powershell", "powershell.exe", "cmd", "cmd.exe"]
                .contains(&shell.to_ascii_lowercase().as_str());
            safe = other || instruction.words.iter().any(|word| word == "pipefail");
        }
        if instruction.is("RUN") && !safe && instruction.commands.iter().any(|command| command.piped) {
            sink.report_finding(instruction.place, "a failure before the pipe goes unnoticed");
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
                ("FROM a:1\nRUN a | b\n", &[2]),
                (
                    "FROM a:1\nSHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\nRUN a | b\nFROM b:1\nRUN a || b\n",
                    &[],
                ),
            ],
        );
    }
}
