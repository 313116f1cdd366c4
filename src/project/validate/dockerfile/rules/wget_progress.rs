//! Downloads that fill the log.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-wget-progress",
    aliases: &["hadolint:DL3047"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "wget's progress bar fills the log of the build.",
    help: "add `--progress=dot:giga` or `-nv`",
    explanation: "wget draws a bar for a terminal; in the log of a build that is thousands of lines in which the one \
        that matters is lost. `-nv` or `--progress=dot:giga` keeps it short.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN wget https://example.com/tool.tar.gz
",
        good: "FROM debian:12.8
RUN wget -nv https://example.com/tool.tar.gz
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_wget_progress;

fn check_wget_progress(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "wget") {
        let quiet = command.arguments().iter().any(|word| {
            word.starts_with("--progress")
                || matches!(word.as_str(), "--quiet" | "--no-verbose" | "-nv" | "-o" | "-a")
                || word.starts_with("--output-file")
                || word.starts_with("--append-output")
        });
        if !quiet && !command.has_short('q') {
            sink.report_finding(FileLocation::line(command.line), "`wget` writes its progress into the log");
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
            &[("FROM a:1\nRUN wget https://x\n", &[2]), ("FROM a:1\nRUN wget -qO- https://x\n", &[])],
        );
    }
}
