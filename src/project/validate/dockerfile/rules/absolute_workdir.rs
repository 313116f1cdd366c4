//! Relative working directories.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-absolute-workdir",
        Category::Maintainability,
        Severity::Medium,
        "A relative WORKDIR depends on the one before it, also on that of the base image.",
        "write the whole path, beginning with a slash",
    ),
    hadolint: &["DL3000"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for workdir in file.all("WORKDIR") {
        let path = workdir.text.trim().trim_matches(['"', '\'']);
        let drive = path.get(1..2) == Some(":");
        if !path.is_empty() && !path.starts_with(['/', '\\', '$']) && !drive {
            sink.say(workdir.place, format!("the working directory `{path}` is relative"));
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
                ("FROM a:1\nWORKDIR x\n", &[2]),
                ("FROM a:1\nWORKDIR /x\nWORKDIR $X/y\nWORKDIR \"/z\"\nWORKDIR c:/x\n", &[]),
            ],
        );
    }
}
