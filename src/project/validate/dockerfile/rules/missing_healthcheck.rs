//! Images without a health check.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-missing-healthcheck",
        Category::Maintainability,
        Severity::Info,
        "Nothing tells whether the service in the container still works.",
        "add HEALTHCHECK, or let the orchestrator probe it",
    ),
    hadolint: &["DL3057"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    let Some(last) = file.stages.len().checked_sub(1) else { return };
    let serves = file.of_stage(last).any(|instruction| instruction.is("EXPOSE"));
    let checked = file.all("HEALTHCHECK").next().is_some();
    if let (true, false, Some(stage)) = (serves, checked, file.stages.get(last)) {
        sink.say(stage.place, "the image serves a port and has no HEALTHCHECK");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nEXPOSE 80\n", &[1]),
                ("FROM a:1\nEXPOSE 80\nHEALTHCHECK CMD x\n", &[]),
                ("FROM a:1\nCMD [\"x\"]\n", &[]),
            ],
        );
    }
}
