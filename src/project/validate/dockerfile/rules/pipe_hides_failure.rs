//! Failures hidden by a pipe.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-pipe-hides-failure",
        Category::Maintainability,
        Severity::Low,
        "Only the last command of a pipe decides whether the RUN has failed.",
        "put `SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]` before it",
    ),
    hadolint: &["DL4006"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
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
            sink.say(instruction.place, "a failure before the pipe goes unnoticed");
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
                ("FROM a:1\nRUN a | b\n", &[2]),
                (
                    "FROM a:1\nSHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\nRUN a | b\nFROM b:1\nRUN a || b\n",
                    &[],
                ),
            ],
        );
    }
}
