//! The cache of pip left in the image.

use super::super::install::Installation;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-pip-cache-kept",
    aliases: &["hadolint:DL3042"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "pip keeps what it downloads, which only makes the image larger.",
    help: "add `--no-cache-dir`, or use a cache mount",
    explanation: "pip keeps what it has downloaded for the next time, but an image layer has no next time: the \
        archives only make it larger. `--no-cache-dir` leaves them out; a cache mount keeps them for the next build \
        without putting them into the image.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM python:3.13.1-slim
RUN pip install requests==2.32.3
",
        good: "FROM python:3.13.1-slim
RUN pip install --no-cache-dir requests==2.32.3
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_pip_cache_kept;

fn check_pip_cache_kept(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (run, command) in file.runs() {
        let installs = Installation::from_command(command).is_some_and(|installation| installation.manager.name == "pip");
        if !installs || command.name() == "pipx" || command.has_argument(&["--no-cache-dir"]) {
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
            sink.report_finding(FileLocation::line(command.line), "`pip install` keeps its cache in the image");
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
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
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
