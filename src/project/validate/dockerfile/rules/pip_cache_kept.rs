//! The cache of pip left in the image.

use super::super::install::Installation;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-pip-cache-kept",
        Category::Maintainability,
        Severity::Low,
        "pip keeps what it downloads, which only makes the image larger.",
        "add `--no-cache-dir`, or use a cache mount",
    ),
    hadolint: &["DL3042"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (run, command) in file.runs() {
        let installs = Installation::of(command).is_some_and(|installation| installation.manager.name == "pip");
        if !installs || command.name() == "pipx" || command.has(&["--no-cache-dir"]) {
            continue;
        }
        let by_word = command.assignments.iter().any(|assignment| is_off(assignment));
        let before = file.of_stage(run.stage.unwrap_or_default()).take_while(|i| i.place.line < run.place.line);
        let by_env = before
            .filter(|i| i.is("ENV"))
            .flat_map(|i| i.pairs())
            .filter(|(name, _)| *name == "PIP_NO_CACHE_DIR")
            .last();
        let off = by_env.is_some_and(|(name, value)| is_off(&format!("{name}={value}")));
        let mounted = run.cache_mounts().iter().any(|at| at.ends_with("/pip") || at.ends_with("/.cache"));
        if !by_word && !off && !mounted {
            sink.say(Place::line(command.line), "`pip install` keeps its cache in the image");
        }
    }
}

/// True for a setting that turns the cache off.
fn is_off(assignment: &str) -> bool {
    assignment.split_once('=').is_some_and(|(name, value)| {
        name == "PIP_NO_CACHE_DIR" && matches!(value.to_ascii_lowercase().as_str(), "1" | "true" | "on" | "yes")
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nRUN pip install a==1\nRUN python -m pip install -r r.txt\n", &[2, 3]),
                ("FROM a:1\nENV PIP_NO_CACHE_DIR=1\nRUN pip install a==1\n", &[]),
                (
                    "FROM a:1\nRUN --mount=type=cache,target=/home/a/.cache/pip pip install a==1\nRUN pip install --no-cache-dir a==1\n",
                    &[],
                ),
            ],
        );
    }
}
