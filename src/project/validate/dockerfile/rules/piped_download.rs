//! Downloads that are run at once.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: weakness(
        rule(
            "docker-piped-download",
            Category::Security,
            Severity::Medium,
            "What is downloaded is run without a look at it.",
            "download it, check its digest, then run it",
        ),
        "CWE-494",
    ),
    hadolint: &[],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for run in file.all("RUN") {
        for pair in run.commands.windows(2) {
            let [from, to] = pair else { continue };
            let fetches = matches!(from.name(), "curl" | "wget") && from.piped;
            if fetches
                && matches!(to.name(), "sh" | "bash" | "zsh" | "dash" | "python" | "python3" | "node" | "perl" | "sudo")
            {
                sink.say(
                    Place::line(from.line),
                    format!("what `{}` fetches is run unchecked by `{}`", from.name(), to.name()),
                );
            }
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
                ("FROM a:1\nRUN curl -fsSL https://x | sh\n", &[2]),
                ("FROM a:1\nRUN curl x | tar x\nRUN curl -o x y\n", &[]),
            ],
        );
    }
}
