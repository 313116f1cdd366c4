//! Archives copied and then unpacked.

use super::super::shell::ShellCommand;
use super::is_archive;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-copied-archive",
    aliases: &["hadolint:DL3010"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "The archive stays in the image besides what is unpacked from it.",
    help: "use ADD, which unpacks it",
    explanation: "A copied archive stays in its layer although only its contents are needed, so the image carries \
        both. `ADD` unpacks a local archive while it copies and leaves nothing behind.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
COPY app.tar.gz /tmp/
RUN tar xzf /tmp/app.tar.gz
",
        good: "FROM debian:12.8
ADD app.tar.gz /opt/
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_copied_archive;

fn check_copied_archive(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for copy in file.instructions_named("COPY").filter(|copy| copy.flag("from").is_none()) {
        let Some((target, sources)) = copy.words.split_last() else { continue };
        for source in sources.iter().filter(|source| is_archive(source)) {
            let name = source.rsplit('/').next().unwrap_or(source);
            let named = |word: &String| word.rsplit('/').next() == Some(name) || word == target;
            let later = file.runs().filter(|(run, _)| run.stage == copy.stage && run.place.line > copy.place.line);
            let unpacks = |command: &ShellCommand| matches!(command.name(), "tar" | "unzip" | "gunzip" | "bunzip2" | "unxz");
            if later.into_iter().any(|(_, command)| unpacks(command) && command.arguments().iter().any(named)) {
                sink.report_finding(copy.place, format!("`{name}` is copied and then unpacked"));
            }
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
            &[("FROM a:1\nCOPY x.tar.gz /t/\nRUN tar xzf /t/x.tar.gz\n", &[2]), ("FROM a:1\nCOPY x.tar.gz /t/\n", &[])],
        );
    }
}
