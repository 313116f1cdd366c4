//! Several sources without a folder to go to.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-copy-many",
    aliases: &["hadolint:DL3021"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "Several files can only be copied into a folder, which ends with a slash.",
    help: "end the target with a slash",
    explanation: "Several sources can only go into a folder, and the builder wants the target to end with a slash to \
        be sure that one is meant. Without it the build stops.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
COPY app.conf users.conf /etc/app
",
        good: "FROM debian:12.8
COPY app.conf users.conf /etc/app/
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_copy_many;

fn check_copy_many(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for copy in file.instructions_named("COPY") {
        let Some((target, sources)) = copy.words.split_last() else { continue };
        let folder = target.ends_with('/')
            || matches!(target.as_str(), "." | "..")
            || target.starts_with('$')
            || target.ends_with('\\');
        if sources.len() > 1 && !folder && !copy.heredocs {
            sink.report_finding(copy.place, format!("several files are copied to `{target}`, which does not end with a slash"));
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
                ("FROM a:1\nCOPY a b /c\nCOPY [\"a\",\"b\",\"/c\"]\n", &[2, 3]),
                ("FROM a:1\nCOPY a b /c/\nCOPY a /b\n", &[]),
            ],
        );
    }
}
