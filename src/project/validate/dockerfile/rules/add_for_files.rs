//! ADD where COPY does.

use super::is_archive;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-add-for-files",
    aliases: &["hadolint:DL3020"],
    category: Category::Security,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "ADD also unpacks archives and fetches addresses, which is surprising for plain files.",
    help: "use COPY",
    explanation: "`ADD` unpacks archives and fetches addresses by itself, so a file that happens to end in `.tar.gz` \
        arrives unpacked. For plain files and folders `COPY` does what is written, no more.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM python:3.13.1-slim
ADD requirements.txt /app/
",
        good: "FROM python:3.13.1-slim
COPY requirements.txt /app/
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_add_for_files;

fn check_add_for_files(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for add in file.instructions_named("ADD") {
        let sources = add.words.len().saturating_sub(1);
        let plain = |word: &&String| !is_remote(word) && !is_archive(word) && !word.starts_with("<<");
        if add.words.iter().take(sources).any(|word| plain(&word)) {
            sink.report_finding(add.place, "ADD is used for plain files");
        }
    }
}

fn is_remote(word: &str) -> bool {
    ["http://", "https://", "git@", "git://", "$"].iter().any(|start| word.starts_with(start))
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nADD a /b\nADD [\"x y\",\"/c\"]\n", &[2, 3]),
                ("FROM a:1\nADD a.tar.gz /b\nADD https://x/a /b\n", &[]),
            ],
        );
    }
}
